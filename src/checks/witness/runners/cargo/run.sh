# Started by cargo in the place of a program. A binary of libtest is heard, everything else passes through.
. "${0%/*}/hear.sh"

main() {
  is_libtest "$@" && begin || exec "$@"
  binary=$1
  shift
  run_heard "$binary" "--logfile=$log" "$@"
  write_tests
  # 101 is how libtest says that tests failed.
  if [ "$status" -eq 0 ] || [ "$status" -eq 101 ]; then
    if ran_all "$@"; then write_end; fi
  fi
  end_alike
}

# A harness of another make may take the option for something else.
is_libtest() {
  [ -n "$ROOM_WITNESS" ] || return 1
  case $1 in */deps/*) ;; *) return 1 ;; esac
  for word; do
    case $word in --list | --help | -h | --logfile*) return 1 ;; esac
  done
  LC_ALL=C grep -q -a -F 'Write logs to the specified file' "$1" 2>/dev/null
}

# A process that ends in the middle of its tests has fewer in its log than it lists.
ran_all() {
  for word; do
    shift
    case $word in
      -q | --quiet | --format=*) ;;
      --format) skip=1 ;;
      *) if [ -n "$skip" ]; then skip=; else set -- "$@" "$word"; fi ;;
    esac
  done
  listed=$("$binary" "$@" --list </dev/null 2>/dev/null) || return 1
  case $listed in *[0-9]' test'*,*[0-9]' benchmark'*) ;; *) return 1 ;; esac
  [ "$(printf '%s\n' "$listed" | grep -c -E ': (test|benchmark)$')" -eq "$(grep -c . "$log")" ]
}

# The file that a test's module lies in, as far as names tell; else the folder of its package.
group_of() {
  target=${binary##*/}
  root=$CARGO_MANIFEST_DIR
  if [ -f "$root/tests/${target%-*}.rs" ]; then group=$root/tests/${target%-*}.rs; return; fi
  module=
  rest=$1
  while [ "${rest#*::}" != "$rest" ]; do
    module=$module/${rest%%::*}
    rest=${rest#*::}
  done
  while [ -n "$module" ]; do
    for group in "$root/src$module.rs" "$root/src$module/mod.rs"; do [ -f "$group" ] && return; done
    module=${module%/*}
  done
  for group in "$root/src/lib.rs" "$root/src/main.rs" "$root"; do [ -e "$group" ] && return; done
}

main "$@"
