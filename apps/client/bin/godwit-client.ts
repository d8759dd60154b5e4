#!/usr/bin/env -S node --max-semi-space-size=4 --single-threaded-gc
import { runClient } from '../src/cli.ts'

process.exitCode = await runClient(process.argv.slice(2))
