export const PASSWORD_PRESETS = ['standard', 'strict', 'long'] as const
export type PasswordPreset = (typeof PASSWORD_PRESETS)[number]
export type PasswordFault = 'length' | 'space' | 'chinese' | 'account' | 'classes'

interface Rule {
  readonly min: number
  readonly max: number
  /** How many of the four classes (upper case, lower case, digit, symbol) must occur. */
  readonly classes: number
}

export const PASSWORD_RULES: Readonly<Record<PasswordPreset, Rule>> = {
  standard: { min: 8, max: 20, classes: 3 },
  strict: { min: 8, max: 20, classes: 4 },
  long: { min: 12, max: 128, classes: 0 },
}

const CLASSES = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9\s]/]

/** The one password rule. Returns every fault, in the order a form shows them; an empty list accepts. */
export function passwordFaults(
  password: string,
  account: string,
  preset: PasswordPreset = 'standard',
): PasswordFault[] {
  const rule = PASSWORD_RULES[preset]
  const length = [...password].length
  const faults: PasswordFault[] = []
  if (length < rule.min || length > rule.max) faults.push('length')
  if (/\s/u.test(password)) faults.push('space')
  if (/\p{Script=Han}/u.test(password)) faults.push('chinese')
  if (account !== '' && password.toLowerCase().includes(account.toLowerCase())) faults.push('account')
  if (CLASSES.filter((pattern) => pattern.test(password)).length < rule.classes) faults.push('classes')
  return faults
}

/** The wire's "encoded" password: base64 of UTF-8. An encoding, not protection; TLS protects. */
export function encodePassword(password: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(password)))
}

/** @returns undefined when the text is not base64 of UTF-8 */
export function decodePassword(wire: string): string | undefined {
  try {
    const binary = atob(wire)
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
  } catch {
    return undefined // Malformed base64 or UTF-8: the caller answers with its own coded error.
  }
}
