#!/bin/sh
# check-units.sh EXPOSURE UNIT...: whether systemd units are sound, and no service is exposed by more than EXPOSURE
# tenths.
set -eu
exposure="$1"
shift

if ! command -v systemd-analyze >/dev/null 2>&1; then
  echo 'Not checked, as there is no systemd-analyze here: the systemd units.' >&2
  exit 0
fi

for unit in "$@"; do
  # Only what is said of the unit itself counts, and not of what else this machine has.
  said="$(systemd-analyze verify --man=no --recursive-errors=no "$unit" 2>&1)" || {
    printf '%s\n' "$said" >&2
    echo "$unit is not sound." >&2
    exit 1
  }
  if printf '%s\n' "$said" | grep -F "$(basename "$unit")" >&2; then
    echo "$unit is not sound." >&2
    exit 1
  fi
  case "$unit" in
    *.service)
      systemd-analyze security --offline=true --no-pager --threshold="$exposure" "$unit" >"$unit.security" || {
        cat "$unit.security" >&2
        echo "$unit is exposed by more than $exposure tenths." >&2
        exit 1
      }
      tail -n 1 "$unit.security"
      ;;
  esac
done
