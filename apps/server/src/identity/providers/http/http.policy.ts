import { createHmac } from 'node:crypto'
import type { HttpSettings } from '@godwit/contract'
import { z } from 'zod'
import { foldCase } from '../../users/index.ts'
import { placesOf } from '../people.policy.ts'
import type { Checked, Person } from '../provider.types.ts'

const TEXT_MAX = 255
const GROUPS_MAX = 1000
const LOGIN_MAX = 250

const text = z.string().max(TEXT_MAX).nullish()

/** What a service answers. What is left out stays as it is here. */
const serviceAnswer = z.object({
  ok: z.boolean(),
  /** `unknown`: it has nobody of this name, so the next provider is asked. */
  reason: z.string().max(TEXT_MAX).optional(),
  account: text,
  name: text,
  email: text,
  phone: text,
  department: text,
  groups: z.array(z.string().max(TEXT_MAX)).max(GROUPS_MAX).nullish(),
})

/** What an answer says of the one who was asked about; `other`: it is about somebody else. */
export function checkedOf(settings: HttpSettings, login: string, answer: string): Checked | 'garbled' | 'other' {
  const { data, success } = serviceAnswer.safeParse(parsed(answer))
  if (!success) return 'garbled'
  if (!data.ok) return data.reason === 'unknown' ? 'unknown' : 'wrong'
  // Whom it says yes to is who asked: another name would be a way into another account.
  const { account = null } = data
  return account === null || isSameName(account, login) ? personOf(settings, login, data) : 'other'
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    // No JSON is no answer, which the caller says.
    return undefined
  }
}

function personOf(settings: HttpSettings, login: string, answer: z.infer<typeof serviceAnswer>): Person {
  const { name, email, phone, department, groups } = answer
  const mapped = settings.groups.filter((mapping) => groups?.includes(mapping.name))
  const places = Array.isArray(groups) ? placesOf(mapped) : { groupIds: undefined, departmentId: undefined }
  return {
    // Exactly as the service was asked: it may take `Mei` and `mei` for two people.
    ...{ key: login, login, isDisabled: false, ...places },
    ...{ name: plain(name), email: plain(email), phone: plain(phone), department: plain(department) },
  }
}

function plain(value: string | null | undefined): string | undefined {
  return value?.normalize('NFC').trim()
}

function isSameName(one: string, other: string): boolean {
  return foldCase(one.trim()) === foldCase(other)
}

export function isAskable(login: string): boolean {
  return login !== '' && login.length <= LOGIN_MAX
}

export interface SignedRequest {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/** How the service knows that this server asks. Source of the signature: Standard Webhooks 1.0, symmetric signatures. */
export function proofHeaders(
  { proof }: Pick<HttpSettings, 'proof'>,
  secret: string,
  { id, timestamp, body }: SignedRequest,
): Readonly<Record<string, string>> {
  if (proof === 'bearer') return { authorization: `Bearer ${secret}` }
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` }
}

/** What keeps settings from being usable, whatever the service says. */
export function httpFault({ url }: HttpSettings, hasSecret: boolean) {
  if (url === '') return { field: 'url', code: 'VALUE_REQUIRED' } as const
  if (!isServiceAddress(url)) return { field: 'url', code: 'PARAMETER_INVALID' } as const
  return hasSecret ? undefined : ({ field: 'secret', code: 'VALUE_REQUIRED' } as const)
}

function isServiceAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hash, username, password } = new URL(address)
  return ['http:', 'https:'].includes(protocol) && hash === '' && username === '' && password === ''
}
