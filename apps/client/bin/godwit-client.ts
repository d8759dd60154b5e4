#!/usr/bin/env -S node --max-semi-space-size=4 --single-threaded-gc
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// What is kept of compiled code makes the next start sooner, and each thread smaller. It lies in a folder of the user's own,
// since whoever writes into it decides what this program does; where none can be made, nothing is kept.
enableCompileCache(join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'godwit-client'))
const { runClient } = await import('../src/cli.ts')

process.exitCode = await runClient(process.argv.slice(2))
