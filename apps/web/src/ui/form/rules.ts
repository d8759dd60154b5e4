import { isEmail } from '@godwit/contract/field-rules'
import type { Texts } from '../../lib/texts.tsx'

/** The rules of the contract as a form says them; white space around a value does not count. */

export function emailRule(texts: Texts): (value: string) => string | undefined {
  return (value) => (isEmail(value.trim()) ? undefined : texts('email.invalid'))
}

export function portRule(texts: Texts): (value: string) => string | undefined {
  return (value) => (isPort(value.trim()) ? undefined : texts('profile.email.port-invalid'))
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
}
