import { type PasswordFault, PASSWORD_RULES, passwordFaults } from '@godwit/contract/passwords'
import { Circle, CircleCheck, CircleX } from 'lucide-react'
import type { FormState } from '../../../lib/use-form.ts'
import { type PortalKey, useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import type { NewPassword } from './new-password.ts'
import styles from './new-password-fields.module.css'

const HINTS: ReadonlyArray<{ readonly text: PortalKey; readonly faults: readonly PasswordFault[] }> = [
  { text: 'password.rule.length', faults: ['length'] },
  { text: 'password.rule.classes', faults: ['classes'] },
  { text: 'password.rule.characters', faults: ['space', 'chinese', 'account'] },
]

export interface NewPasswordFieldsProps {
  readonly form: Pick<FormState<keyof NewPassword>, 'field' | 'values'>
  /** The password must not contain it; empty when it is not known. */
  readonly account: string
  readonly autoFocus?: boolean
}

/** New password with its rules, each ticked as soon as it holds, and the confirmation. */
export function NewPasswordFields({ form, account, autoFocus = false }: NewPasswordFieldsProps) {
  const texts = useTexts()
  const eye = { showLabel: texts('sign-in.show-password'), hideLabel: texts('sign-in.hide-password') }
  const { password } = form.values
  return (
    <>
      <div className={styles['group']}>
        <PasswordField
          {...form.field('password')}
          {...eye}
          label={texts('password.new')}
          required
          autoFocus={autoFocus}
          autoComplete="new-password"
        />
        <PasswordRules password={password} account={account} />
      </div>
      <PasswordField
        {...form.field('repeat')}
        {...eye}
        label={texts('password.repeat')}
        required
        autoComplete="new-password"
      />
    </>
  )
}

function PasswordRules({ password, account }: { readonly password: string; readonly account: string }) {
  const texts = useTexts()
  const { min, max, classes } = PASSWORD_RULES.standard
  const faults = new Set(passwordFaults(password, account))
  return (
    <ul className={styles['rules']} aria-label={texts('password.rules')}>
      {HINTS.map((hint) => {
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
