import type { EditLinkInput, FileAlias, LinkGroup, LinkPerson, LinkRecord, WantedAudience } from '@godwit/contract'
import { isFileAlias } from '@godwit/contract/field-rules'
import { LIMITS } from '@godwit/contract/limits'
import { askedValues, guestFormOf, ownFieldFault } from './asked-values.ts'
import { requestFault, requestOf, requestValues } from './request-values.ts'
import { randomLetters } from '../../../lib/random-letters.ts'
import type { Texts } from '../../../lib/texts.tsx'

export const LINK_FIELDS = [
  'audience',
  'people',
  'expiry',
  'date',
  'hasPassword',
  'password',
  'allowDownload',
  'bind',
  'notify',
  'limit',
  'notBefore',
  'description',
  'emails',
  'mailLanguage',
  'mailText',
  'onlyRecipients',
  'terms',
  'askName',
  'askEmail',
  'askRemark',
  'askOwn',
  'request',
  'requestOthers',
  'requestInsist',
] as const
export type LinkField = (typeof LINK_FIELDS)[number]
/** As the fields hold them; a switch is `on` or empty, addresses are separated by spaces. */
export type LinkValues = Readonly<Record<LinkField, string>>
/** The name that guests see in place of a file's own. */
export type Aliases = Readonly<Record<string, string>>

export const EXPIRY_DAYS = [1, 3, 7, 30] as const
const DAY_S = 86_400

/** @param binding of the site: 0 as the owner likes, 1 unless the owner does not, 2 always */
export function newValues(texts: Texts, binding: number): LinkValues {
  return {
    audience: 'anyone',
    people: '',
    expiry: '1',
    date: '',
    hasPassword: 'on',
    password: randomLetters(LIMITS.sharePasswordGenerated),
    allowDownload: 'on',
    bind: switched(binding > 0),
    notify: '',
    limit: '',
    notBefore: '',
    description: '',
    emails: '',
    mailLanguage: texts.locale === 'zh-CN' ? '0' : '1',
    mailText: '',
    onlyRecipients: '',
    ...askedValues(null),
    ...requestValues(null),
  }
}

export function valuesOf(record: LinkRecord, texts: Texts): LinkValues {
  return {
    ...newValues(texts, 0),
    expiry: record.shareExpireTime === 0 ? 'never' : 'same',
    hasPassword: switched(record.needPassword),
    password: record.sharePassword,
    allowDownload: switched(record.shareAllowDownload === 1),
    bind: switched(record.bindSwitch),
    notify: switched(record.notifyEmail),
    limit: record.downloadLimit === 0 ? '' : String(record.downloadLimit),
    notBefore: record.notBefore === 0 ? '' : dayOf(record.notBefore),
    description: record.description,
    emails: record.shareEmail.join(' '),
    onlyRecipients: switched(record.needEmail),
    audience: record.audience.kind,
    people: peopleText(record.audience),
    ...askedValues(record.guestForm),
    ...requestValues(record.request),
  }
}

function switched(isOn: boolean): string {
  return isOn ? 'on' : ''
}

/** `YYYY-MM-DD` in the reader's zone, as a date field has it. */
export function dayOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Unix seconds at which the day begins, or its last second, in the reader's zone; NaN for no date. */
export function secondsOf(day: string, at: 'start' | 'end'): number {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number)
  const time = at === 'start' ? new Date(year, month - 1, date) : new Date(year, month - 1, date, 23, 59, 59)
  return Math.floor(time.getTime() / 1000)
}

export type LinkFaults = Partial<Record<LinkField, string | undefined>>

/** @param now Unix milliseconds */
export function linkFaults(values: LinkValues, texts: Texts, now: number): LinkFaults {
  const { expiry, date, hasPassword, password, limit } = values
  const isPast = !(secondsOf(date, 'end') * 1000 > now)
  return {
    people:
      values.audience === 'named' && countOf(peopleIn(values.people)) === 0 ? texts('links.people-missing') : undefined,
    date: expiry === 'date' && isPast ? texts('links.date-past') : undefined,
    password:
      values.audience === 'anyone' && hasPassword === 'on' && password.trim() === ''
        ? texts('common.required')
        : undefined,
    askOwn: ownFieldFault(values.askOwn) ? texts('links.ask.label-missing') : undefined,
    request: requestFault(values.request) ? texts('links.request.fault') : undefined,
    limit: limit === '' || /^[1-9]\d{0,5}$/.test(limit) ? undefined : texts('links.limit-invalid'),
  }
}

/** What is wrong with an alias, by the file it is for: its form, another file's name, or taken twice. */
export function aliasFaults(
  aliases: Aliases,
  files: readonly string[],
  texts: Texts,
): Readonly<Record<string, string>> {
  const given = Object.entries(aliases).filter(([, alias]) => alias.trim() !== '')
  const faultOf = (file: string, alias: string): string | undefined => {
    if (!isFileAlias(alias)) return texts('links.alias-invalid')
    if (files.some((other) => other !== file && other === alias)) return texts('links.alias-taken')
    if (given.some(([other, same]) => other !== file && same === alias)) return texts('links.alias-duplicate')
    return undefined
  }
  return Object.fromEntries(
    given.flatMap(([file, alias]) => {
      const fault = faultOf(file, alias)
      return fault === undefined ? [] : [[file, fault]]
    }),
  )
}

/** Files of a selection have aliases while they are few and no folder is among them: specification, section 5. */
export function canHaveAliases(files: readonly string[], hasFolder: boolean): boolean {
  return !hasFolder && files.length > 0 && files.length < 10
}

interface Terming {
  readonly now: number
  readonly isInvite: boolean
}

type Terms = Omit<EditLinkInput, 'shareUrl'>

/** @param now Unix milliseconds; `isInvite` links alone ask their guests something */
export function termsOf(values: LinkValues, aliases: Aliases, { now, isInvite }: Terming): Terms {
  const time = expiryOf(values, now)
  const audience = audienceOf(values)
  return {
    audience,
    needPassword: values.hasPassword === 'on',
    ...(values.hasPassword === 'on' && { shareUrlPasswd: values.password.replaceAll(/\s/g, '') }),
    ...(time !== undefined && { shareExpireTime: time }),
    shareAllowDownload: values.allowDownload === 'on' ? 1 : 0,
    notifyEmail: values.notify === 'on',
    bindSwitch: values.bind === 'on',
    downloadLimit: values.limit === '' ? 0 : Number(values.limit),
    notBefore: values.notBefore === '' ? 0 : secondsOf(values.notBefore, 'start'),
    description: values.description.trim(),
    fileAlias: Object.entries(aliases)
      .filter(([, alias]) => alias.trim() !== '')
      .map(([file, alias]): FileAlias => ({ file, alias: alias.trim() })),
    shareEmail: emailsIn(values.emails),
    needEmail: values.onlyRecipients === 'on' && values.emails !== '',
    shareEmailContent: values.mailText.trim(),
    emailLanguage: values.mailLanguage === '0' ? 0 : 1,
    ...(isInvite ? { guestForm: guestFormOf(values), request: requestOf(values) } : {}),
  }
}

/** Undefined leaves the time as it is. */
function expiryOf({ expiry, date }: LinkValues, now: number): number | undefined {
  if (expiry === 'same') return undefined
  if (expiry === 'never') return 0
  return expiry === 'date' ? secondsOf(date, 'end') : Math.floor(now / 1000) + Number(expiry) * DAY_S
}

export function emailsIn(text: string): string[] {
  return text.split(' ').filter((each) => each !== '')
}

/** People and groups that a link is for, as the form holds them. */
export interface NamedPeople {
  readonly users: readonly LinkPerson[]
  readonly groups: readonly LinkGroup[]
}

export function peopleIn(text: string): NamedPeople {
  return text === '' ? { users: [], groups: [] } : (JSON.parse(text) as NamedPeople)
}

/** Empty when there is nobody. */
export function peopleText({ users, groups }: NamedPeople): string {
  return users.length + groups.length === 0 ? '' : JSON.stringify({ users, groups })
}

function countOf({ users, groups }: NamedPeople): number {
  return users.length + groups.length
}

function audienceOf({ audience, people }: LinkValues): WantedAudience {
  if (audience !== 'named') return { kind: audience === 'everyone' ? 'everyone' : 'anyone', userIds: [], groupIds: [] }
  const { users, groups } = peopleIn(people)
  return { kind: 'named', userIds: users.map(({ id }) => id), groupIds: groups.map(({ id }) => id) }
}

/** By name where there is one. */
export function calledPerson({ account, name }: Pick<LinkPerson, 'account' | 'name'>): string {
  return name === '' || name === account ? account : `${name} (${account})`
}
