import type { Texts } from '../../../lib/texts.tsx'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import { PermissionMatrix } from '../permission-matrix/index.ts'
import { MappingsField } from './mappings-field.tsx'
import { mappingsOf } from './provider-values.ts'

export interface ProviderSchemaOptions {
  readonly texts: Texts
  readonly hasSecret: boolean
  /** Groups and departments that members of groups there may join. */
  readonly targets: readonly SelectChoice[]
}

const NAME_MAX = 64

/** For what is taken as it is typed. */
export const EXACT = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, translate: 'no' } as const

/** A form with a field of this name, whatever else it has. */
interface Holding<Name extends string> {
  readonly values: Readonly<Record<Name, string>>
  set(change: Readonly<Record<Name, string>>): void
}

/** The fields that providers of every kind have. */
export function commonFields({ texts, targets }: ProviderSchemaOptions, of: 'groups' | 'roles') {
  return {
    title: {
      kind: 'text',
      label: texts('authentication.name'),
      hint: texts('authentication.name.hint'),
      isRequired: true,
      wire: 'name',
      maxLength: NAME_MAX,
      autoComplete: 'off',
    },
    enabled: { kind: 'switch', label: texts('authentication.enabled'), hint: texts('authentication.enabled.hint') },
    groups: {
      kind: 'custom',
      label: texts(`authentication.${of}`),
      wire: 'groups',
      rule: (value: string) =>
        mappingsOf(value).some(({ dn, target }) => dn.trim() !== '' && target === '')
          ? texts('authentication.groups.incomplete')
          : undefined,
      render: (form: Holding<'groups'>, error: string | undefined) => (
        <MappingsField
          of={of}
          value={form.values.groups}
          targets={targets}
          error={error}
          onChange={(groups) => form.set({ groups })}
        />
      ),
    },
    permission: permissionField(texts),
  } as const
}

/** What new accounts may do. */
export function permissionField(texts: Texts) {
  return {
    kind: 'custom',
    label: texts('users.permissions'),
    wire: 'permission',
    render: (form: Holding<'permission'>, error: string | undefined) => (
      <PermissionMatrix
        value={form.values.permission}
        error={error}
        onChange={(permission) => form.set({ permission })}
      />
    ),
  } as const
}

/** Somebody whose sign-in the test tries. */
export function testFields(texts: Texts) {
  return {
    testAccount: {
      kind: 'text',
      label: texts('authentication.test.account'),
      hint: texts('authentication.test.hint'),
      wire: 'account',
      ...EXACT,
    },
    testPassword: {
      kind: 'password',
      label: texts('authentication.test.password'),
      wire: 'password',
      autoComplete: 'new-password',
    },
  } as const
}

export function isPort(value: string): boolean {
  return /^\d{1,5}$/.test(value.trim()) && Number(value) >= 1 && Number(value) <= 65_535
}
