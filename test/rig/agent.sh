# The scripted agent of the scenario tests. Work that only writes files was laid out by the rig and needs no node.
moves="${RIG_MOVES%/*}/moves/$STINT_TASK"
for attempt in "$STINT_ATTEMPT" every; do
  if [ "$STINT_ROLE" != executor ] || [ ! -e "$moves/$attempt" ]; then continue; fi
  [ -d "$moves/$attempt" ] || break
  cat >/dev/null
  exec cp -R "$moves/$attempt/." .
done
exec "$1" "${0%/*}/agent.mjs"
