import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { AuthDeps } from '../auth/index.ts'
import { consoleDeviceEndpoints, deviceEndpoints } from './devices.routes.ts'
import { devicesStore } from './devices.store.ts'

const MINUTE_MS = 60_000
/** Rows of sign-ins that strangers may leave behind from one address. */
const BEGINS = { name: 'devices.begins', calls: 20, periodMs: 10 * MINUTE_MS } as const
/** A program asks every three seconds. */
const POLLS = { name: 'devices.polls', calls: 60, periodMs: MINUTE_MS } as const
/** Twenty thousand million codes, of which few are open. */
const LOOKS = { name: 'devices.looks', calls: 30, periodMs: 10 * MINUTE_MS } as const

/** Sign-in of programs without a browser, and the list of devices that they run on. */
export function devicesFeature(kernel: Kernel, auth: AuthDeps): Feature {
  const { db, clock, ids, limits } = kernel
  const deps = {
    ...{ auth, ids },
    begins: limits.callLimit(BEGINS),
    polls: limits.callLimit(POLLS),
    looks: limits.callLimit(LOOKS),
  }
  return defineFeature({
    name: 'devices',
    endpoints: [...deviceEndpoints(deps), ...consoleDeviceEndpoints(deps, kernel)],
    every: [
      {
        name: 'devices.forget',
        everyMs: MINUTE_MS,
        onOneNode: true,
        work: () => devicesStore.forgetLogins(db, clock.now()),
      },
    ],
  })
}
