#!/bin/sh
# check-units.sh EXPOSURE UNIT...: whether systemd units start what they should, are sound, and no service is exposed by
# more than EXPOSURE tenths.
set -eu
exposure="$1"
shift

for unit in "$@"; do
  case "$unit" in *.service) ;; *) continue ;; esac
  # By this the command finds /etc/matinee/config.json.
  grep -qx 'ConfigurationDirectory=matinee' "$unit" || {
    echo "$unit has no ConfigurationDirectory=matinee, so that its settings are not found." >&2
    exit 1
  }
  # A sync that stays would keep a timer's service from ever being started again.
  if grep -qx 'Type=oneshot' "$unit" && ! grep -qx 'ExecStart=.*/matinee sync --once' "$unit"; then
    echo "$unit is started by a timer, and does not run 'matinee sync --once'." >&2
    exit 1
  fi
done

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
