import { text } from 'node:stream/consumers'
import { askPam } from './pam.calls.ts'
import type { PamQuestion } from './pam.types.ts'

/** Asks PAM once. A module that hangs, or that takes the process with it, takes no more than this one. */
const question = JSON.parse(await text(process.stdin)) as PamQuestion
process.stdout.write(JSON.stringify(askPam(question)))
