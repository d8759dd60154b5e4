import { deviceOf } from './device.ts'
import type { Texts } from './texts.tsx'

/** A browser in words; a program by what it calls itself. */
export function deviceName(userAgent: string, texts: Texts): string {
  const device = deviceOf(userAgent)
  if (device !== undefined) return texts('security.device', { ...device })
  return userAgent === '' ? texts('security.device.unknown') : userAgent
}
