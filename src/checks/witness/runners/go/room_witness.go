// Compiled into package testing for one check: writes down which tests ran, and nothing to stdout or stderr.

package testing

import (
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

var roomReport = roomOpen()

// Where the function of a test lies, until the test is done.
var roomFiles sync.Map

var roomFailed int32

func roomOpen() *os.File {
	place := os.Getenv("ROOM_WITNESS")
	if place == "" {
		return nil
	}
	os.Unsetenv("ROOM_WITNESS")
	begun := strings.HasSuffix(place, ".jsonl")
	if !begun {
		place += "/go-" + strconv.Itoa(os.Getpid()) + "-own.jsonl"
	}
	file, err := os.OpenFile(place, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil
	}
	if !begun {
		file.WriteString("{\"runner\":\"go test\",\"begun\":true}\n")
	}
	return file
}

func roomStart(t *common, fn any) {
	if roomReport == nil || t.parent == nil {
		return
	}
	file := roomFileOf(fn)
	// What is run for an input of a fuzz test lies in this package, and the test does not.
	if above, ok := roomFiles.Load(t.parent); ok && strings.HasSuffix(file, "/src/testing/fuzz.go") {
		file = above.(string)
	}
	roomFiles.Store(t, file)
}

func roomTest(t *common) {
	if t.parent == nil {
		return
	}
	file, _ := roomFiles.LoadAndDelete(t)
	group, _ := file.(string)
	if t.Failed() {
		atomic.StoreInt32(&roomFailed, 1)
		roomWrite(group, t.name, `"run","failed":true`)
	} else if t.Skipped() {
		roomWrite(group, t.name, `"skipped"`)
	} else {
		roomWrite(group, t.name, `"run"`)
	}
}

func roomFileOf(fn any) string {
	function := runtime.FuncForPC(reflect.ValueOf(fn).Pointer())
	if function == nil {
		return ""
	}
	file, _ := function.FileLine(function.Entry())
	return file
}

func roomWrite(group, name, state string) {
	if roomReport == nil {
		return
	}
	if len(name) > 500 {
		name = name[:500]
	}
	roomReport.WriteString(`{"runner":"go test","group":` + roomQuote(group) + `,"name":` + roomQuote(name) + `,"state":` + state + "}\n")
}

func roomQuote(text string) string {
	safe := func(char rune) rune {
		if char < ' ' || char == '"' || char == '\\' {
			return '?'
		}
		return char
	}
	return `"` + strings.Map(safe, text) + `"`
}

// What failed outside of a test gives another exit code than 0; if it does not, somebody forged that.
func roomEnd(code int) {
	if roomReport != nil && (code == 0 || atomic.LoadInt32(&roomFailed) == 1) {
		roomReport.WriteString("{\"runner\":\"go test\",\"ended\":true}\n")
	}
}
