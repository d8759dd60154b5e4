#!/usr/bin/env -S node --max-semi-space-size=2 --single-threaded-gc
// JavaScript, because Node loads a compiler of 25 MiB for the first TypeScript file that is not in the cache named below.
//
// Buffers of uploads count as external memory: with a large young space they pile up until V8 collects the whole heap, many
// times a second. A small one frees them in cheap collections, and V8 without threads of its own for it frees them at once,
// not some time later while they still count: together a third to a half of the processor time of an upload.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Every start would compile everything again. Where the folder cannot be written, it does.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/godwit', import.meta.url)))
const { loadProgram } = await import('../src/load-program.ts')
const { runCli } = await loadProgram()

process.exitCode = await runCli(process.argv.slice(2))
