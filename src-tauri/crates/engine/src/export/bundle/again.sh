#!/bin/sh
# Makes the results of this analysis again, without Assay. Needs Docker only.
set -eu
cd "$(dirname "$0")"

image=@IMAGE@
recipe=@RECIPE@
own=assay-again:$recipe

say() { echo "again: $*"; }
recipe_of() { docker image inspect --format '{{index .Config.Labels "assay.recipe"}}' "$1" 2>/dev/null || true; }

command -v docker >/dev/null || { say "Docker is needed: https://docs.docker.com/get-started/get-docker/" >&2; exit 1; }
if [ -n "$recipe" ] && [ "$(recipe_of "$image")" != "$recipe" ]; then
    image=$own
    if [ "$(recipe_of "$image")" != "$recipe" ]; then
        say "making the image, once (a few minutes)"
        docker build --quiet --tag "$image" --build-arg RECIPE="$recipe" image >/dev/null
    fi
fi

rm -rf again
mkdir -p again/output again/work
user=$(id -u):$(id -g)
if [ "$(id -u)" = 0 ]; then
    user=1000:1000
    chown 1000:1000 again/output again/work
fi
say "running the steps in $image; what they make goes to again/output"
exec docker run --rm --label app=assay --network none --read-only --cap-drop ALL --security-opt no-new-privileges \
    --memory @MEMORY@m --cpus @CPUS@ --pids-limit @PROCESSES@ --user "$user" --env HOME=/tmp \
    --tmpfs /tmp:size=256m --workdir /workspace \
    --volume "$PWD/data:/workspace/input:ro" --volume "$PWD/again/output:/workspace/output" \
    --volume "$PWD/again/work:/workspace/work" --volume "$PWD/output:/delivered:ro" --volume "$PWD/code:/code:ro" \
    "$image" python3 /code/run_steps.py
