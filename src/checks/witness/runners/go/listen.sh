# Sourced with go's words: lets `go test` compile package testing with a witness in it, and start each binary of tests through exec.sh.
# Nothing that is printed changes, as it would if the output of -v or -json were read.

runs_tests() {
  case $1 in
    -C) [ $# -ge 2 ] && shift 2 ;;
    -C=*) shift ;;
  esac
  [ "$1" = test ] || return 1
  for word; do
    case $word in
      -args | --args) return 0 ;;
      -c | --c | -n | --n | -h | -help | --help | -list | --list | -list=* | --list=* | -test.list=*) return 1 ;;
      # Only one overlay is allowed, and this one is the user's.
      -overlay* | --overlay*) return 1 ;;
    esac
  done
}

# In the folder that the words name, because a module can ask for another release of go.
ask_go() {
  case $1 in
    -C) "$real" -C "$2" env $wanted ;;
    -C=*) "$real" "$1" env $wanted ;;
    *) "$real" env $wanted ;;
  esac 2>/dev/null
}
wanted='GOROOT GOFLAGS GOOS GOHOSTOS GOARCH GOHOSTARCH'

# Each call is added to its line, so that the lines of a stack trace stay what they are.
with_calls() {
  sed -e 's/^func tRunner(t \*T, fn func(t \*T)) {$/& roomStart(\&t.common, fn);/' \
    -e 's/^func (t \*T) report() {$/& roomTest(\&t.common);/' \
    -e 's/^func fRunner(f \*F, fn func(\*F)) {$/& roomStart(\&f.common, fn);/' \
    -e 's/^func (f \*F) report() {$/& roomTest(\&f.common);/' \
    -e 's/^func (b \*B) run1() bool {$/& roomWrite(roomFileOf(b.benchFunc), b.name, `"run"`);/' \
    -e 's/^func (eg \*InternalExample) processRunResult(.*) (passed bool) {$/& roomWrite(roomFileOf(eg.F), eg.Name, `"run"`);/' \
    -e 's/^func (m \*M) Run() (code int) {$/& defer func() { roomEnd(m.exitCode) }();/' "$1"
}

# A release whose sources look different is not heard, rather than broken.
make_overlay() {
  entries=
  for file in testing benchmark example fuzz; do
    with_calls "$goroot/src/testing/$file.go" >"$made/$file.go" || return 1
    entries="$entries\"$goroot/src/testing/$file.go\":\"$made/$file.go\","
  done
  for call in roomStart roomTest roomEnd; do
    grep -q "{ .*$call(" "$made/testing.go" || return 1
  done
  own="\"$goroot/src/testing/room_witness.go\":\"$tools/go/room_witness.go\""
  printf '{"Replace":{%s%s}}\n' "$entries" "$own" >"$made/overlay.json"
}

listen() {
  runs_tests "$@" || return 1
  asked=$(ask_go "$@") || return 1
  { read -r goroot && read -r flags && read -r os && read -r host_os && read -r arch && read -r host_arch; } <<END
$asked
END
  case $flags in *-overlay* | *-exec*) return 1 ;; esac
  # Those binaries are started by a program of their own.
  [ "$os/$arch" = "$host_os/$host_arch" ] || return 1
  case $goroot$tools$ROOM_WITNESS in *[\"\'\\]*) return 1 ;; esac
  # Named so that go finds no package in it, wherever it lies.
  made=$ROOM_WITNESS/_go-$$
  mkdir "$made" 2>/dev/null && make_overlay 2>/dev/null || return 1
}

if listen "$@"; then
  # Said here, because packages without tests start no binary.
  printf '{"runner":"go test","begun":true}\n{"runner":"go test","ended":true}\n' >"$ROOM_WITNESS/go-$$.jsonl"
  export ROOM_GOFLAGS="$GOFLAGS"
  export GOFLAGS="$flags '-overlay=$made/overlay.json' '-exec=/bin/sh \"$tools/go/exec.sh\"'"
fi
