import { deviceLogins } from '@godwit/contract/table/device-logins'
import { isTemporary } from './failures.ts'
import type { ApiClient, RouteReply } from '@godwit/contract/client'

/** A program that asks for a sign-in, in its own words. */
export interface ProgramFacts {
  /** What people call the device. */
  readonly name: string
  readonly platform: string
  readonly version: string
}

export type DeviceSignIn = RouteReply<typeof deviceLogins.begin>
type DeviceAnswer = Pick<RouteReply<typeof deviceLogins.token>, 'state' | 'token'>

/** For a program without a browser: a person confirms the user code at `path`, and the program asks for its token meanwhile. */
export function beginDeviceSignIn(client: ApiClient, program: ProgramFacts): Promise<DeviceSignIn> {
  return client.call(deviceLogins.begin, { body: program })
}

/** What became of it so far; a server that restarts meanwhile has not answered yet. */
export async function deviceSignInAnswer(client: ApiClient, deviceCode: string): Promise<DeviceAnswer> {
  try {
    return await client.call(deviceLogins.token, { body: { deviceCode } })
  } catch (error) {
    if (!isTemporary(error)) throw error
    return { state: 'pending', token: '' }
  }
}
