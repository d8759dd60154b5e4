import type { AdminUserChange, AdminUserDetail, NewAdminUser } from '@godwit/contract'
import { encodePassword } from '@godwit/contract/passwords'
import { DEFAULT_PERMISSION, storedPermission } from '@godwit/contract/permissions'
import { bytesOfGigabytes, gigabytesOf } from '../../../lib/gigabytes.ts'
import { ON } from '../../../ui/form/index.ts'
import { momentOf, momentText, NO_RULES, RULE_FIELDS, type RuleField, rulesOf, ruleValuesOf } from './rule-values.ts'
import { NO_TRANSFER, TRANSFER_FIELDS, transferFrom, type TransferField, transferValuesOf } from './transfer-values.ts'
import { NO_SPEED, speedOf, type SpeedValues, speedValuesOf, weightOf } from '../transfer-limits/index.ts'

export type UserField =
  | 'account'
  | 'name'
  | 'email'
  | 'phone'
  | 'invite'
  | 'password'
  | 'mustReset'
  | 'quotaKind'
  | 'quota'
  | 'permission'
  | 'department'
  | 'validFrom'
  | 'validUntil'
  | 'loginAddresses'
  /** Changed at once, apart from the form. */
  | 'mounts'
  | keyof SpeedValues
  | TransferField
  | RuleField

export type UserValues = Readonly<Record<UserField, string>>

/** Whose limit holds: the site's, none, or one of the account's own. */
export const QUOTA_KINDS = ['site', 'none', 'own'] as const

export const NEW_USER: UserValues = {
  account: '',
  name: '',
  email: '',
  phone: '',
  invite: '',
  password: '',
  mustReset: ON,
  quotaKind: 'site',
  quota: '',
  permission: String(DEFAULT_PERMISSION),
  department: '',
  validFrom: '',
  validUntil: '',
  loginAddresses: '',
  mounts: '',
  ...NO_SPEED,
  ...NO_RULES,
  ...NO_TRANSFER,
}

/** What of an account its form shows. */
export type UserFacts = Pick<
  AdminUserDetail,
  | 'account'
  | 'name'
  | 'email'
  | 'phone'
  | 'mustReset'
  | 'ownQuotaBytes'
  | 'permission'
  | 'department'
  | 'rules'
  | 'speed'
  | 'weight'
  | 'transfer'
  | 'loginAddresses'
  | 'validFrom'
  | 'validUntil'
>

/** An account as its form has it; the password is never known. */
export function valuesOf(user: UserFacts): UserValues {
  const { account, name, email, phone, mustReset, ownQuotaBytes, permission, department } = user
  return {
    account,
    name,
    email,
    phone,
    invite: '',
    password: '',
    mustReset: mustReset ? ON : '',
    quotaKind: ownQuotaBytes === null ? 'site' : ownQuotaBytes === 0 ? 'none' : 'own',
    quota: ownQuotaBytes === null || ownQuotaBytes === 0 ? '' : gigabytesOf(ownQuotaBytes),
    permission: String(storedPermission(permission)),
    department: department === null ? '' : String(department.id),
    ...{ validFrom: momentText(user.validFrom), validUntil: momentText(user.validUntil) },
    loginAddresses: user.loginAddresses,
    mounts: '',
    ...speedValuesOf(user),
    ...ruleValuesOf(user.rules),
    ...transferValuesOf(user.transfer),
  }
}

/** A new account after the pattern of another: everything but what only one may have. */
export function copyOf(user: UserFacts): UserValues {
  return { ...valuesOf(user), account: '', email: '', phone: '', mustReset: ON }
}

export function newUserOf(values: UserValues): NewAdminUser {
  const { account, name, email, phone, password, mustReset, permission } = values
  return {
    account: account.trim(),
    ...(values.invite === ON ? { invite: true } : { password: encodePassword(password), mustReset: mustReset === ON }),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(email.trim() === '' ? {} : { email: email.trim() }),
    ...(phone.trim() === '' ? {} : { phone: phone.trim() }),
    permission: Number(permission),
    departmentId: departmentId(values),
    ownQuotaBytes: quotaBytes(values),
    ...{ validFrom: momentOf(values.validFrom), validUntil: momentOf(values.validUntil) },
    transfer: transferFrom(values),
    ...{ rules: rulesOf(values), speed: speedOf(values), weight: weightOf(values) },
    loginAddresses: values.loginAddresses.trim(),
  }
}

/** Only what differs from what was loaded, so that two people may change different things of one account. */
export function userChangeOf(values: UserValues, base: UserValues, revision: number): AdminUserChange {
  const isChanged = (...names: readonly UserField[]): boolean => names.some((name) => values[name] !== base[name])
  return {
    revision,
    ...(isChanged('name') ? { name: values.name.trim() } : {}),
    ...(isChanged('email') ? { email: values.email.trim() } : {}),
    ...(isChanged('phone') ? { phone: values.phone.trim() } : {}),
    ...(values.password === '' ? {} : { password: encodePassword(values.password) }),
    ...(isChanged('mustReset') ? { mustReset: values.mustReset === ON } : {}),
    ...(isChanged('quotaKind', 'quota') ? { ownQuotaBytes: quotaBytes(values) } : {}),
    ...(isChanged('department') ? { departmentId: departmentId(values) } : {}),
    ...(isChanged('permission') ? { permission: Number(values.permission) } : {}),
    ...(isChanged('validFrom') ? { validFrom: momentOf(values.validFrom) } : {}),
    ...(isChanged('validUntil') ? { validUntil: momentOf(values.validUntil) } : {}),
    ...(isChanged(...RULE_FIELDS) ? { rules: rulesOf(values) } : {}),
    ...(isChanged('uploadMbps', 'downloadMbps', 'periods') ? { speed: speedOf(values) } : {}),
    ...(isChanged('weight') ? { weight: weightOf(values) } : {}),
    ...(isChanged(...TRANSFER_FIELDS) ? { transfer: transferFrom(values) } : {}),
    ...(isChanged('loginAddresses') ? { loginAddresses: values.loginAddresses.trim() } : {}),
  }
}

/** Null: the site's default; 0: no limit. */
function quotaBytes({ quotaKind, quota }: UserValues): number | null {
  if (quotaKind === 'site') return null
  return quotaKind === 'none' ? 0 : bytesOfGigabytes(quota)
}

function departmentId({ department }: UserValues): number | null {
  return department === '' ? null : Number(department)
}
