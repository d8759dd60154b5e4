import os from 'node:os'
import type { Settings } from '../../foundation/settings/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { syslogEndpoints } from './syslog.routes.ts'
import { sendLogs } from './syslog.service.ts'
import { SYSLOG_SETTINGS } from './syslog.settings.ts'

const EVERY_MS = 2_000

/** Sends the operation log and the sign-in log to a collector of the operator. */
export function syslogFeature(kernel: Kernel, { settings }: { readonly settings: Settings }): Feature {
  const deps = { ...kernel, settings, host: os.hostname() }
  return defineFeature({
    name: 'syslog',
    settings: SYSLOG_SETTINGS,
    endpoints: syslogEndpoints(deps, kernel),
    every: [{ name: 'syslog', everyMs: EVERY_MS, onOneNode: true, work: (signal) => sendLogs(deps, signal) }],
  })
}
