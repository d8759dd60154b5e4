import type { AuthProviderChange, NewAuthProvider, ProviderSource, TriedAuthProvider } from '@godwit/contract'
import { ON } from '../../../ui/form/index.ts'

/** What the form of every kind of provider has. */
export interface CommonValues {
  readonly title: string
  readonly enabled: string
  readonly secret: string
}

/** Nothing for a secret that was not typed: the known one stays. */
function secretOf({ secret }: CommonValues): { readonly secret?: string } {
  return secret === '' ? {} : { secret }
}

export function newBody<Source extends ProviderSource>(
  values: CommonValues,
  source: Source,
): NewAuthProvider & { readonly source: Source } {
  return { name: values.title.trim(), enabled: values.enabled === ON, source, ...secretOf(values) }
}

export interface Changed<Values extends CommonValues> {
  readonly values: Values
  /** What the form began with. */
  readonly base: Values
  readonly sourceOf: (values: Values) => ProviderSource
  readonly revision: number
}

export function changeBody<Values extends CommonValues>({
  values,
  base,
  sourceOf,
  revision,
}: Changed<Values>): AuthProviderChange {
  const source = sourceOf(values)
  const isSame = JSON.stringify(source) === JSON.stringify(sourceOf(base))
  return {
    revision,
    ...(values.title === base.title ? {} : { name: values.title.trim() }),
    ...(values.enabled === base.enabled ? {} : { enabled: values.enabled === ON }),
    ...(isSame ? {} : { source }),
    ...secretOf(values),
  }
}

/** What a form with the sign-in of somebody has. */
export interface TestValues {
  readonly testAccount: string
  readonly testPassword: string
}

/** Tries somebody as well, when an account is typed. */
export function triedWithSomebody(
  values: CommonValues & TestValues,
  source: ProviderSource,
  providerId: number | undefined,
): TriedAuthProvider {
  const { testAccount, testPassword } = values
  const somebody = testAccount.trim() === '' ? {} : { account: testAccount.trim(), password: testPassword }
  return { ...triedBody(values, source, providerId), ...somebody }
}

export function triedBody(
  values: CommonValues,
  source: ProviderSource,
  providerId: number | undefined,
): TriedAuthProvider {
  return { ...(providerId === undefined ? {} : { providerId }), source, ...secretOf(values) }
}
