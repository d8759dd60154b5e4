#!/usr/bin/env -S node --max-semi-space-size=2
// Buffers of uploads count as external memory: with a large young space they pile up until V8 collects the whole heap, many
// times a second. A small one frees them in cheap collections: a third of the processor time of an upload.
import { runCli } from '../src/cli.ts'

process.exitCode = await runCli(process.argv.slice(2))
