"""One session of the Python agents SDK on the Docker engine, in the terms of the other lines of the bench."""

import asyncio
import os
import statistics
import sys
import time
from pathlib import Path

import docker
from agents.sandbox.entries import File
from agents.sandbox.manifest import Manifest
from agents.sandbox.sandboxes.docker import DockerSandboxClient, DockerSandboxClientOptions

LARGE = 100 << 20
READ = 10 << 20
COMMANDS = 15


async def timed(name, work):
    begun = time.perf_counter()
    done = await work
    print(f"the agents SDK, {name}: {(time.perf_counter() - begun) * 1000:.0f} ms", flush=True)
    return done


async def main(image):
    client = DockerSandboxClient(docker.from_env())
    options = DockerSandboxClientOptions(image=image, network_mode="none")
    manifest = Manifest(entries={"large.bin": File(content=os.urandom(LARGE))})
    session = await timed("a session created", client.create(manifest=manifest, options=options))
    try:
        await timed("started with 100 MB staged", session.start())
        times = []
        for _ in range(COMMANDS):
            begun = time.perf_counter()
            await session.exec("true")
            times.append(time.perf_counter() - begun)
        print(f"the agents SDK, one command: {statistics.median(times) * 1000:.0f} ms median of {COMMANDS}", flush=True)
        await session.exec("sh", "-c", f"head -c {READ} large.bin > part.bin")
        await timed("10 MB read back", session.read(Path("part.bin")))
    finally:
        await timed("the session deleted", client.delete(session))


asyncio.run(main(sys.argv[1]))
