import { type PasswordFault, PASSWORD_RULES, passwordFaults } from '@godwit/contract/passwords'
import { Circle, CircleCheck, CircleX } from 'lucide-react'
import type { FormState } from '../../../lib/use-form.ts'
import { type PortalKey, useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import type { NewPassword, PasswordChange, PasswordRule } from './new-password.ts'
import styles from './new-password-fields.module.css'

const HINTS: ReadonlyArray<{ readonly text: PortalKey; readonly faults: readonly PasswordFault[] }> = [
  { text: 'password.rule.length', faults: ['length'] },
  { text: 'password.rule.classes', faults: ['classes'] },
  { text: 'password.rule.characters', faults: ['space', 'chinese', 'account'] },
]

export interface NewPasswordFieldsProps {
  readonly form: Pick<FormState<keyof NewPassword>, 'field' | 'values'>
  readonly rule: PasswordRule
  readonly autoFocus?: boolean
}

/** New password with its rules, each ticked as soon as it holds, and the confirmation. */
export function NewPasswordFields({ form, rule, autoFocus = false }: NewPasswordFieldsProps) {
  const texts = useTexts()
  return (
    <>
      <NewPasswordField form={form} rule={rule} autoFocus={autoFocus} error={form.field('password').error} />
      <PasswordField {...form.field('repeat')} label={texts('password.repeat')} required autoComplete="new-password" />
    </>
  )
}

export interface NewPasswordFieldProps extends Omit<NewPasswordFieldsProps, 'form'> {
  readonly form: Pick<FormState<'password'>, 'field' | 'values'>
  readonly error: string | undefined
}

/** A new password with its rules below it. */
export function NewPasswordField({ form, rule, autoFocus = false, error }: NewPasswordFieldProps) {
  const texts = useTexts()
  return (
    <div className={styles['group']}>
      <PasswordField
        {...form.field('password')}
        label={texts('password.new')}
        error={error}
        required
        autoFocus={autoFocus}
        autoComplete="new-password"
      />
      <PasswordRules password={form.values.password} rule={rule} />
    </div>
  )
}

export interface PasswordChangeFieldsProps {
  readonly form: Pick<FormState<keyof PasswordChange>, 'field' | 'values'>
  readonly rule: PasswordRule
  readonly autoFocus?: boolean
}

/** The old password and the new one; the account stands hidden beside them for password managers. */
export function PasswordChangeFields({ form, rule, autoFocus = false }: PasswordChangeFieldsProps) {
  const texts = useTexts()
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={rule.account} readOnly hidden />
      <PasswordField {...form.field('old')} label={texts('password.old')} required autoComplete="current-password" />
      <NewPasswordFields form={form} rule={rule} autoFocus={autoFocus} />
    </>
  )
}

function PasswordRules({ password, rule }: { readonly password: string; readonly rule: PasswordRule }) {
  const texts = useTexts()
  const { min, max, classes } = PASSWORD_RULES[rule.preset]
  const faults = new Set(passwordFaults(password, rule.account, rule.preset))
  const hints = classes === 0 ? HINTS.filter(({ text }) => text !== 'password.rule.classes') : HINTS
  return (
    <ul className={styles['rules']} aria-label={texts('password.rules')}>
      {hints.map((hint) => {
        const state = password === '' ? 'open' : hint.faults.some((fault) => faults.has(fault)) ? 'broken' : 'kept'
        const Icon = { open: Circle, broken: CircleX, kept: CircleCheck }[state]
        return (
          <li key={hint.text} className={classNames(styles['rule'], styles[state])}>
            <Icon size={14} aria-hidden="true" />
            {texts(hint.text, { min, max, classes })}
            {state !== 'open' && <Hidden>{texts(`password.rule.${state}`)}</Hidden>}
          </li>
        )
      })}
    </ul>
  )
}
