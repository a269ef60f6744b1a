# Sourced by a program in front of PATH: finds the one it stands in front of, or ends as the shell would.
# Takes its own folder out of PATH: that one may be a version manager's, and look in PATH for the next of this name.
name=${0##*/}
here=${0%/*}
real=
rest=
set -f
IFS=:
for folder in $PATH; do
  if [ "${folder:-.}" -ef "$here" ]; then continue; fi
  rest=$rest${rest:+:}${folder:-.}
  if [ -z "$real" ] && [ -f "${folder:-.}/$name" ] && [ -x "${folder:-.}/$name" ]; then real=${folder:-.}/$name; fi
done
unset IFS
set +f
PATH=$rest
if [ -z "$real" ]; then
  echo "sh: $name: not found" >&2
  exit 127
fi
