# Sourced by what stands in front of a Python: puts the witness back where a command set PYTHONPATH for itself, then becomes that Python.
ours=${0%/in-front/*}/python
case $ROOM_WITNESS:$PYTHONPATH: in
  :* | *:"$ours":*) ;;
  *) export PYTHONPATH="$ours${PYTHONPATH:+:$PYTHONPATH}" ;;
esac
exec "$real" "$@"
