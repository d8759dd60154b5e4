import { accountOfLogin, fieldsOf } from '../../identity/providers/index.ts'
import type { ScimAccountRow } from '../../identity/provisioning/index.ts'
import { foldCase, type UserRow } from '../../identity/users/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { hasControls } from '../../kernel/plain-text.ts'

/** An account as the other side wants it to be. Texts are '' for what it has not. */
export interface WantedAccount {
  /** The name that the person signs in with there. */
  readonly userName: string
  /** The other side's own id of the person. */
  readonly externalId: string
  readonly displayName: string
  readonly givenName: string
  readonly familyName: string
  readonly email: string
  readonly phone: string
  /** Name of the department. */
  readonly department: string
  readonly isActive: boolean
}

const TEXT_MAX = 255
/** Signs that people write into phone numbers and that are none of the number. */
const PHONE_SIGNS = /[\s().-]/g

/** What can go into columns, or the first value that cannot. */
export interface Fields {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly department: string
}

/**
 * The fields as an account takes them. A name is cut to its length and what is no phone number is left out, as for people of a
 * directory: nobody is refused for these.
 * @throws AppError SCIM_VALUE_INVALID
 */
export function requireFields(wanted: WantedAccount, account: string): Fields {
  requireText('userName', wanted.userName)
  if (wanted.userName === '') throw invalid('userName')
  requireText('externalId', wanted.externalId)
  requireText('name.givenName', wanted.givenName)
  requireText('name.familyName', wanted.familyName)
  const { email, department } = wanted
  const phone = wanted.phone.replaceAll(PHONE_SIGNS, '')
  const fields = fieldsOf({ name: nameOf(wanted, account), email, phone, department }, account)
  const { name = account, departmentName = '' } = fields
  if (email !== '' && fields.email === '') throw invalid('emails.value')
  if (department !== '' && departmentName === '') throw invalid('department')
  return { name, email, phone: fields.phone ?? '', department: departmentName }
}

function nameOf({ displayName, givenName, familyName }: WantedAccount, account: string): string {
  return displayName.trim() || `${givenName} ${familyName}`.trim() || account
}

function requireText(attribute: string, text: string): void {
  if (text.length > TEXT_MAX || hasControls(text)) throw invalid(attribute)
}

export function invalid(attribute: string): AppError {
  return new AppError('SCIM_VALUE_INVALID', { attribute })
}

/**
 * What the account of a user name is called: as a provider would call it, or after the part before the @ where that is too long.
 * @throws AppError SCIM_VALUE_INVALID
 */
export function accountOfUserName(userName: string): string {
  const account = accountOfLogin(userName) ?? accountOfLogin(userName.split('@')[0] ?? '')
  if (account === undefined) throw invalid('userName')
  return account
}

/** Columns of an account that are others than wanted. */
export function changedColumns(
  user: UserRow,
  { name, email, phone }: Fields,
  { departmentId, locked }: { readonly departmentId: number | null; readonly locked: number },
): Partial<UserRow> {
  return {
    ...(user.name === name ? {} : { name }),
    ...(user.email === email ? {} : { email, email_key: email === '' ? null : foldCase(email) }),
    ...(user.phone === phone ? {} : { phone }),
    ...(user.department_id === departmentId ? {} : { department_id: departmentId }),
    ...(user.locked === locked ? {} : { locked }),
  }
}

type Lock = Pick<ScimAccountRow, 'locked_by_scim'> & Pick<UserRow, 'locked'>

/** Only what the other side has locked it unlocks again: the lock of an administrator stays. */
export function lockOf({ locked, locked_by_scim: isOurs }: Lock, isActive: boolean): Lock {
  if (isActive) return { locked: isOurs === 1 ? 0 : locked, locked_by_scim: 0 }
  return { locked: 1, locked_by_scim: locked === 1 ? isOurs : 1 }
}

/** What the other side says of an account, as the row that keeps it. */
export function linkOf(
  userId: string,
  { userName, externalId, givenName, familyName }: WantedAccount,
  { locked_by_scim, now }: { readonly locked_by_scim: number; readonly now: number },
): ScimAccountRow {
  return {
    ...{ user_id: userId, user_name: userName, user_name_key: foldCase(userName), external_id: externalId },
    ...{ given_name: givenName, family_name: familyName, locked_by_scim, changed_at: now },
  }
}

/** Whether two rows say the same, whenever they were written. */
export function isSameLink(known: ScimAccountRow, wanted: ScimAccountRow): boolean {
  const { changed_at: _before, ...before } = known
  const { changed_at: _now, ...now } = wanted
  return Object.entries(now).every(([column, value]) => before[column as keyof typeof before] === value)
}
