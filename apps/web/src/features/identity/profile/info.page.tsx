import { type AccountType, isKeptElsewhere } from '@godwit/contract/identity/account-types'
import { routes } from '@godwit/contract/table'
import { encodePassword } from '@godwit/contract/passwords'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { emailRule, SchemaForm } from '../../../ui/form/index.ts'
import { PasswordField } from '../../../ui/password-field.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useAccount, useAccountRefresh } from '../auth/index.ts'
import styles from './form-narrow.module.css'
import { passwordProof, UsernameHint } from './proof-fields.tsx'

/** The account, which stays, and its e-mail address, which changes with the password alone: the password can be reset by it. */
export function InfoPage() {
  const texts = useTexts()
  const { user } = useAccount()
  const { api, messages } = useServices()
  const refresh = useAccountRefresh()
  const isOther = ({ email }: { readonly email: string }): boolean => email.trim() !== user.email
  const isManaged = isKeptElsewhere(user.accountType as AccountType)
  const proof = passwordProof<'email' | 'password'>(texts)
  return (
    <SectionCard title={texts('profile.info')} lead={texts('profile.info.lead')}>
      <div className={styles['narrow']}>
        <SchemaForm
          schema={{
            email: {
              kind: 'text',
              type: 'email',
              label: texts('email.label'),
              hint: texts(isManaged ? 'profile.info.managed' : 'profile.info.email-hint'),
              isReadOnly: isManaged,
              isRequired: true,
              missing: texts('email.required'),
              rule: emailRule(texts),
              errors: ['EMAIL_EXISTS', 'EMAIL_INVALID'],
              wire: 'email',
              autoComplete: 'email',
            },
            password: {
              ...proof,
              kind: 'custom',
              isRequired: isOther,
              render: (form, error) =>
                isOther(form.values) && (
                  <>
                    <UsernameHint />
                    <PasswordField
                      {...form.field('password')}
                      label={proof.label}
                      autoComplete="current-password"
                      error={error}
                      required
                    />
                  </>
                ),
            },
          }}
          initial={{ email: user.email, password: '' }}
          submitLabel={texts('common.save')}
          busyLabel={texts('common.saving')}
          isGuarded
          lead={
            <TextField
              label={texts('profile.info.account')}
              hint={texts('profile.info.account-hint')}
              value={user.account}
              readOnly
              translate="no"
              autoComplete="username"
            />
          }
          onSend={async ({ email, password }, form) => {
            const proven = isOther({ email }) ? { password: encodePassword(password) } : {}
            await api.call(routes.auth.updateInfo, { body: { email: email.trim(), ...proven } })
            await refresh()
            form.set({ password: '' })
            messages.notify('success', texts('profile.info.saved'))
          }}
        />
      </div>
    </SectionCard>
  )
}
