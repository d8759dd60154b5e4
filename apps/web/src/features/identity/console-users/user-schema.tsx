import { isAccount, isPhone } from '@godwit/contract/field-rules'
import { LIMITS } from '@godwit/contract/limits'
import { type PasswordPreset, passwordFaults } from '@godwit/contract/passwords'
import { isGigabytes } from '../../../lib/gigabytes.ts'
import type { Texts } from '../../../lib/texts.tsx'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import { emailRule, type FormSchema, type FormTab, ON } from '../../../ui/form/index.ts'
import type { useMissing } from '../../foundation/site/index.ts'
import { PermissionMatrix } from '../permission-matrix/index.ts'
import type { AdminUserDetail } from '@godwit/contract'
import { UserMounts } from './user-mounts.tsx'
import { ruleSchema } from './rule-schema.ts'
import { speedSchema } from './speed-schema.tsx'
import { transferSchema } from './transfer-schema.tsx'
import { QUOTA_KINDS, type UserField } from './user-values.ts'

export interface UserSchemaOptions {
  readonly texts: Texts
  readonly preset: PasswordPreset
  /** What the edition lacks. */
  readonly missing: ReturnType<typeof useMissing>
  /** A new account needs a name and a password. */
  readonly isNew: boolean
  /** Name, addresses and password are kept by a directory. */
  readonly isManaged?: boolean
  /** None: this administrator may not see departments. */
  readonly departments: readonly SelectChoice[]
  /** The account as it is; a new one has no virtual directories yet. */
  readonly user?: AdminUserDetail
}

/** Every field of an account. */
export function userSchema(options: UserSchemaOptions): FormSchema<UserField> {
  const { texts } = options
  return {
    ...{ ...profileFields(options), ...passwordFields(options) },
    ...{
      ...quotaFields(texts),
      ...ruleSchema(texts),
      ...speedSchema(texts, { held: options.user?.loginAddresses ?? '', missing: options.missing('addressLists') }),
      ...permissionField(texts),
    },
    ...transferSchema(texts),
    ...mountsField(options),
  }
}

type Fields<Names extends UserField> = Pick<FormSchema<UserField>, Names>

type ProfileField = 'account' | 'name' | 'email' | 'phone' | 'department'

function profileFields({ texts, isNew, departments, isManaged = false }: UserSchemaOptions): Fields<ProfileField> {
  return {
    account: {
      kind: 'text',
      label: texts('users.account'),
      hint: texts(isNew ? 'users.account.hint' : 'users.account.fixed'),
      isRequired: isNew,
      isReadOnly: !isNew,
      rule: (value) => (isAccount(value.trim()) ? undefined : texts('users.account.hint')),
      errors: ['ACCOUNT_INVALID', 'ACCOUNT_EXISTS'],
      wire: 'account',
      maxLength: LIMITS.accountMax,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
    },
    name: {
      kind: 'text',
      label: texts('users.name'),
      isRequired: !isNew,
      isReadOnly: isManaged,
      hint: texts(isManaged ? 'users.managed' : 'users.name.hint'),
      maxLength: LIMITS.displayNameMax,
      autoComplete: 'off',
      wire: 'name',
    },
    email: {
      kind: 'text',
      type: 'email',
      label: texts('users.email'),
      isReadOnly: isManaged,
      hint: texts(isManaged ? 'users.managed' : 'users.email.hint'),
      rule: emailRule(texts),
      isRequired: ({ invite }) => invite === ON,
      errors: ['EMAIL_INVALID', 'EMAIL_EXISTS', 'EMAIL_MISSING'],
      wire: 'email',
      autoComplete: 'off',
    },
    phone: {
      kind: 'text',
      type: 'tel',
      label: texts('users.phone'),
      isReadOnly: isManaged,
      rule: (value) => (isPhone(value.trim()) ? undefined : texts('users.phone.hint')),
      errors: ['PHONE_INVALID'],
      wire: 'phone',
      autoComplete: 'off',
      maxLength: 32,
    },
    department: {
      kind: 'select',
      label: texts('users.department'),
      isHidden: () => departments.length === 0,
      choices: [{ value: '', label: texts('users.department.none') }, ...departments],
      translate: 'no',
      errors: ['DEPARTMENT_NOT_FOUND'],
      wire: 'departmentId',
    },
  }
}

function passwordFields({
  texts,
  preset,
  isNew,
  isManaged = false,
}: UserSchemaOptions): Fields<'invite' | 'password' | 'mustReset'> {
  return {
    invite: {
      kind: 'switch',
      label: texts('users.invite'),
      hint: texts('users.invite.hint'),
      isHidden: () => !isNew,
      errors: ['SYSTEM_MAIL_NOT_CONFIGURED'],
    },
    password: {
      kind: 'password',
      label: texts(isNew ? 'users.password' : 'users.password.new'),
      hint: texts(isNew ? 'users.password.hint' : 'users.password.new-hint'),
      isRequired: isNew,
      isHidden: ({ invite }) => isManaged || invite === ON,
      rule(value, { account }) {
        const fault = passwordFaults(value, account.trim(), preset)[0]
        return fault === undefined ? undefined : texts.passwordFault(fault)
      },
      errors: ['PASSWORD_WEAK'],
      wire: 'password',
      autoComplete: 'new-password',
    },
    mustReset: {
      kind: 'switch',
      label: texts('users.must-reset'),
      hint: texts('users.must-reset.hint'),
      isHidden: ({ invite }) => isManaged || invite === ON,
    },
  }
}

function quotaFields(texts: Texts): Fields<'quotaKind' | 'quota'> {
  return {
    quotaKind: {
      kind: 'select',
      label: texts('users.quota'),
      hint: texts('users.quota.hint'),
      choices: QUOTA_KINDS.map((value) => ({ value, label: texts(`users.quota.${value}`) })),
    },
    quota: {
      kind: 'text',
      inputMode: 'decimal',
      label: texts('users.quota.gb'),
      isHidden: ({ quotaKind }) => quotaKind !== 'own',
      isRequired: ({ quotaKind }) => quotaKind === 'own',
      rule: (value, { quotaKind }) =>
        quotaKind !== 'own' || isGigabytes(value) ? undefined : texts('users.quota.invalid'),
      wire: 'ownQuotaBytes',
      autoComplete: 'off',
    },
  }
}

function permissionField(texts: Texts): Fields<'permission'> {
  return {
    permission: {
      kind: 'custom',
      label: texts('users.permissions'),
      errors: ['PERMISSION_DENIED'],
      wire: 'permission',
      render: (form, error) => (
        <PermissionMatrix
          value={form.values.permission}
          error={error}
          onChange={(permission) => form.set({ permission })}
        />
      ),
    },
  }
}

function mountsField({ texts, user }: UserSchemaOptions): Fields<'mounts'> {
  return {
    mounts: {
      kind: 'custom',
      label: texts('users.mounts'),
      isHidden: () => user === undefined,
      render: () => user !== undefined && <UserMounts user={user} />,
    },
  }
}

export function userTabs(texts: Texts): ReadonlyArray<FormTab<UserField>> {
  return [
    {
      id: 'general',
      label: texts('users.tab.general'),
      fields: [
        'account',
        'name',
        'email',
        'phone',
        'department',
        'invite',
        'password',
        'mustReset',
        'mailSender',
        'linkMail',
      ],
    },
    {
      id: 'storage',
      label: texts('users.tab.storage'),
      fields: ['quotaKind', 'quota', 'mounts', 'forbiddenPaths', 'allowedPaths'],
    },
    {
      id: 'transfer',
      label: texts('users.tab.transfer'),
      fields: [
        ...(['ways', 'uploadMbps', 'downloadMbps', 'weight', 'periods'] as const),
        ...(['deniedTypes', 'allowedTypes', 'uploadNewOnly'] as const),
        ...(['filterKind', 'ignorePatterns', 'ignoreAboveMb', 'skipSameName', 'lockFilters', 'sync'] as const),
      ],
    },
    {
      id: 'security',
      label: texts('users.tab.security'),
      fields: ['permission', 'loginAddresses', 'validFrom', 'validUntil'],
    },
  ]
}
