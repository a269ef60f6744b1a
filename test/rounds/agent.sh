# The agent of the rounds: commits the next misdeed of its task, or works honestly when none is left.
home="${RIG_MOVES%/*}/agents/$STINT_TASK"
kept="$home/sessions/$STINT_ATTEMPT"
cat >/dev/null
mkdir -p "$kept"

# Writes a file and keeps a copy outside, so that the oracle knows which work must not be lost.
put() {
  cat >"$kept/.writing"
  mkdir -p "$(dirname "$1")" "$kept/$(dirname "$1")"
  cp "$kept/.writing" "$1"
  mv "$kept/.writing" "$kept/$1"
}
spoil=
honest() { . "$home/honest.sh"; }

for deed in "$home"/misdeed-?.sh; do
  if [ -e "$deed" ] && [ ! -e "$deed.done" ]; then
    . "$deed"
    : >"$deed.done"
    . "$deed.end"
  fi
done
honest
exit 0
