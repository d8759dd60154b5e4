import type { Texts } from '../../../lib/texts.tsx'
import type { FormSchema } from '../../../ui/form/index.ts'
import { newPasswordFaults, NewPasswordField, type PasswordChange, type PasswordRule } from '../passwords/index.ts'

/** The old password, the new one with its rules, each ticked as soon as it holds, and the confirmation. */
export function passwordChangeSchema(rule: PasswordRule, texts: Texts): FormSchema<keyof PasswordChange> {
  return {
    old: {
      kind: 'password',
      label: texts('password.old'),
      isRequired: true,
      missing: texts('password.old-required'),
      errors: ['OLD_PASSWORD_WRONG'],
      autoComplete: 'current-password',
    },
    password: {
      kind: 'custom',
      label: texts('password.new'),
      isRequired: true,
      rule: (_, values) => newPasswordFaults(values, rule, texts).password,
      errors: ['PASSWORD_WEAK'],
      render: (form, error) => <NewPasswordField form={form} rule={rule} error={error} />,
    },
    repeat: {
      kind: 'password',
      label: texts('password.repeat'),
      isRequired: true,
      rule: (_, values) => newPasswordFaults(values, rule, texts).repeat,
      autoComplete: 'new-password',
    },
  }
}
