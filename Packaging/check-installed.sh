#!/bin/sh
# check-installed.sh PREFIX: whether what `make install` has put under PREFIX is whole, and of one mind with the
# command that is installed there.
set -eu
prefix="$1"
matinee="$prefix/bin/matinee"
manual="$prefix/share/man/man1/matinee.1"
bash_completion="$prefix/share/bash-completion/completions/matinee"
zsh_completion="$prefix/share/zsh/site-functions/_matinee"
fish_completion="$prefix/share/fish/vendor_completions.d/matinee.fish"

failed=0
fail() {
  printf '%s\n' "$1" >&2
  failed=1
}
has() {
  command -v "$1" >/dev/null 2>&1 || {
    printf 'Not checked, as there is no %s here: %s.\n' "$1" "$2" >&2
    return 1
  }
}
# Runs a command that has nothing to say if all is well.
silent() {
  said="$("$@" 2>&1)" && [ -z "$said" ] || fail "$*: $said"
}

for file in "$manual" "$bash_completion" "$zsh_completion" "$fish_completion" \
  "$prefix/share/doc/matinee/command.md" "$prefix/share/doc/matinee/schema.md" "$prefix/share/doc/matinee/LICENSE" \
  "$prefix"/lib/systemd/system/matinee-sync.service "$prefix"/lib/systemd/system/matinee-sync.timer \
  "$prefix"/lib/systemd/system/matinee-sync-every.service; do
  [ -s "$file" ] || fail "$file is missing or empty"
  [ "$(stat -c %a "$file" 2>/dev/null)" = 644 ] || fail "$file is not for all to read, and for its owner to write"
done
# What a document links to beside itself lies beside it.
for document in "$prefix"/share/doc/matinee/*.md; do
  for link in $(sed -n 's/^.*](\([A-Za-z0-9._-]*\)[)#].*$/\1/p' "$document"); do
    [ -e "${document%/*}/$link" ] || fail "$document links to $link, which is not installed"
  done
done
for unit in "$prefix"/lib/systemd/system/*.service; do
  grep -q '^ExecStart=/usr/bin/matinee sync' "$unit" || fail "$unit starts something else"
done

# Every subcommand that help names, and every option that a subcommand's help names, the parser's own among them.
subcommands="$("$matinee" help | sed -n '/^SUBCOMMANDS:/,$s/^  \([a-z][a-z-]*\) .*/\1/p')"
[ "$(printf '%s\n' "$subcommands" | wc -l)" -ge 4 ] || fail "help names no subcommands"
page="$(sed 's/\\-/-/g' "$manual")"
for subcommand in $subcommands; do
  options="$("$matinee" help "$subcommand" | sed -n 's/^  \(-[^ ]*\(, --[^ ]*\)\{0,1\}\).*/\1/p' |
    tr '/,' '\n\n' | sed -n 's/^ *\(--[a-z-]*\)$/\1/p')"
  [ -n "$options" ] || fail "help $subcommand names no options"
  printf '%s\n' "$page" | grep -q "^\.Ss $subcommand\$" || fail "matinee.1 does not tell of $subcommand"
  for option in $options; do
    printf '%s\n' "$page" | grep -qe "Fl ${option#-}\( \|\$\)" || fail "matinee.1 does not tell of $option"
    for completion in "$bash_completion" "$zsh_completion"; do
      grep -qFe "$option" "$completion" || fail "$completion does not tell of $option"
    done
    grep -qFe "-l '${option#--}'" "$fish_completion" || fail "$fish_completion does not tell of $option"
  done
done

if has mandoc 'whether the manual page is sound by mandoc'; then silent mandoc -Tlint -Wwarning "$manual"; fi
if has groff 'whether the manual page is sound by groff'; then
  silent sh -c 'groff -mdoc -Tutf8 -ww "$1" >/dev/null' groff "$manual"
fi
if has bash 'the completions for it'; then
  silent bash -n "$bash_completion"
  offered="$(bash -c '
    source "$1"
    COMP_WORDS=(matinee sync --format "") COMP_CWORD=3 COMP_LINE="matinee sync --format " COMP_POINT=22
    _matinee matinee "" --format
    printf "%s\n" "${COMPREPLY[@]}" | sort | xargs' bash "$bash_completion")"
  [ "$offered" = 'json ndjson table' ] || fail "bash is offered '$offered' for the formats of sync"
fi
if has zsh 'the completions for it'; then silent zsh -n "$zsh_completion"; fi
if has fish 'the completions for it'; then
  silent fish --no-execute "$fish_completion"
  offered="$(fish --no-config -c "source $fish_completion; complete -C 'matinee sync --format '" | cut -f 1 | sort | xargs)"
  [ "$offered" = 'json ndjson table' ] || fail "fish is offered '$offered' for the formats of sync"
fi

[ "$failed" -eq 0 ] || exit 1
echo "What is installed is whole: $(printf '%s\n' "$subcommands" | wc -l) subcommands in manual and completions."
