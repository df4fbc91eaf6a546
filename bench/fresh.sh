#!/usr/bin/env bash
# Runs the two commands of the README, or the commands given, as on a machine that has never seen the project: a fresh
# clone of the last commit, an empty home and temporary folder, no variables but PATH. Prints what each command took and
# what all of them left; ends with 1 when one fails, or leaves anything in the home or temporary folder.
#
#     bench/fresh.sh ["COMMAND" ...]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || set -- "npm ci && npm start -- --once" "npm ci && npm test"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/tmp" "$work/npm-cache"
git -c safe.directory='*' clone --quiet --no-hardlinks "$root" "$work/ingather"
# Tests that use the corpus beside the project skip without it.
[ ! -d "$root/../shared" ] || ln -s "$(cd "$root/../shared" && pwd)" "$work/shared"

echo "commit $(git -C "$work/ingather" rev-parse --short HEAD), $(nproc) cores, Node $(node --version), npm $(npm --version)"
failed=0
for command in "$@"; do
  echo "\$ $command"
  started=$SECONDS
  # The caches of npm and of Node are not the project's: they have folders beside.
  (cd "$work/ingather" && env -i PATH="$PATH" HOME="$work/home" TMPDIR="$work/tmp" npm_config_cache="$work/npm-cache" \
    NODE_COMPILE_CACHE="$work/node-cache" npm_config_devdir="$work/node-gyp" \
    npm_config_update_notifier=false bash -c "$command") < /dev/null || failed=$?
  echo "\$ $command: exit $failed, $((SECONDS - started)) s"
  [ "$failed" -eq 0 ] || break
done

du -sh "$work/ingather/node_modules" "$work/ingather/.ingather" 2> /dev/null | sed "s|$work/||" || true
left=$(cd "$work" && find home tmp -mindepth 1 | sort)
if [ -n "$left" ]; then
  echo "left in the home and temporary folders:"
  echo "$left" | head -n 40
  [ "$failed" -ne 0 ] || failed=1
else
  echo "nothing is left in the home and temporary folders"
fi
exit "$failed"
