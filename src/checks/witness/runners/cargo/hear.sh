# Sourced by what stands in front of a binary of tests or of rustdoc: lets libtest keep a log, and writes down what it says.

# Names of our own, and a line that says that tests have begun; without them nothing is heard.
begin() {
  number=0
  until mkfifo "$ROOM_WITNESS/cargo-$$-$number.stderr" 2>/dev/null; do
    number=$((number + 1))
    [ "$number" -lt 100 ] || return 1
  done
  report=$ROOM_WITNESS/cargo-$$-$number.jsonl
  log=$ROOM_WITNESS/cargo-$$-$number.log
  printf '{"runner":"cargo test","begun":true}\n' >"$report"
  stderr=$ROOM_WITNESS/cargo-$$-$number.stderr
  unset ROOM_WITNESS RUSTDOC
  for triple in $ROOM_TRIPLES; do unset "CARGO_TARGET_${triple}_RUNNER"; done
  unset ROOM_TRIPLES
}

# What the command says about the log is not what the user would have seen. The shell is silent about signals.
run_heard() {
  exec 4>&2 2>/dev/null 5<>"$stderr"
  sed -u -n -e 's/^warning: `--logfile` is deprecated//' -e "/room-$$-done\$/{s///;/./p;q;}" -e p <&5 >&4 4>&- 5>&- &
  filter=$!
  (exec "$@" 2>&5 4>&- 5>&-)
  status=$?
  # The end of the pipe may never come: a test can leave a process behind that holds it.
  echo "room-$$-done" >&5
  wait "$filter"
  rm -f "$stderr"
}

write_tests() {
  [ -f "$log" ] || return 0
  tr '"\\' '??' <"$log" | while read -r state name; do
    group=
    group_of "$name"
    case $state in
      ignored) state='"skipped"' ;;
      failed) state='"run","failed":true' ;;
      *) state='"run"' ;;
    esac
    printf '{"runner":"cargo test","group":"%s","name":"%.500s","state":%s}\n' "$group" "$name" "$state"
  done >>"$report"
}

write_end() {
  printf '{"runner":"cargo test","ended":true}\n' >>"$report"
}

# Ends as the command did, also by a signal.
end_alike() {
  if [ "$status" -gt 128 ] && [ "$status" -lt 160 ]; then
    ulimit -c 0
    kill "-$((status - 128))" $$
  fi
  exit "$status"
}
