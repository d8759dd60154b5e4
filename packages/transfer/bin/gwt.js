#!/usr/bin/env -S node --max-semi-space-size=4 --single-threaded-gc
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// JavaScript, so that nothing needs a compiler before compiled code may be kept for the next start: it begins sooner, and each
// thread needs 15 MiB less. A folder of the user's own, since whoever writes into it decides what this program does; where none
// can be made, nothing is kept. The first line bounds what Node keeps for new objects: by default 96 MiB, for garbage that is
// gone a moment later.
enableCompileCache(join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gwt'))
await import('../src/cli/gwt.ts')
