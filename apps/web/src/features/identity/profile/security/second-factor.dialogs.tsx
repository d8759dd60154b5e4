import { routes } from '@godwit/contract/table'
import { encodePassword } from '@godwit/contract/passwords'
import { useState } from 'react'
import { useServices } from '../../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { QrCode } from '../../../../ui/qr-code.tsx'
import { CodeField, codeFault } from '../../codes/index.ts'
import { ActionDialog } from '../action-dialog.tsx'
import { codeMissing, passwordMissing, ProveCode, ProvePassword } from '../prove-fields.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './security.module.css'

export interface FactorDialogProps {
  readonly onClose: () => void
  /** The second step is different now; the dialog may still show what belongs to it. */
  readonly onChanged: () => void
}

interface Secret {
  readonly secret: string
  readonly uri: string
}

/** Password, then the code to scan and a first code of the app, then the recovery codes. */
export function EnrolDialog({ onClose, onChanged }: FactorDialogProps) {
  const [secret, setSecret] = useState<Secret>()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />
  if (secret === undefined) return <BeginDialog onClose={onClose} onBegun={setSecret} />
  const done = (made: readonly string[]): void => {
    setCodes(made)
    onChanged()
  }
  return <ScanDialog secret={secret} onClose={onClose} onConfirmed={done} />
}

interface BeginDialogProps {
  readonly onClose: () => void
  readonly onBegun: (secret: Secret) => void
}

function BeginDialog({ onClose, onBegun }: BeginDialogProps) {
  const texts = useTexts()
  const { api } = useServices()
  return (
    <ActionDialog
      title={texts('security.factor.enrol.title')}
      text={texts('security.factor.enrol.prove')}
      submitLabel={texts('common.continue')}
      initial={{ password: '' }}
      faultsOf={({ password }) => ({ password: passwordMissing(password, texts) })}
      onClose={onClose}
      onSubmit={async ({ password }) => {
        onBegun(await api.call(routes.security.beginTotp, { body: { password: encodePassword(password) } }))
      }}
    >
      {(form) => <ProvePassword form={form} />}
    </ActionDialog>
  )
}

interface ScanDialogProps {
  readonly secret: Secret
  readonly onClose: () => void
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void
}

function ScanDialog({ secret, onClose, onConfirmed }: ScanDialogProps) {
  const texts = useTexts()
  const { api } = useServices()
  return (
    <ActionDialog
      key="scan"
      title={texts('security.factor.enrol.title')}
      submitLabel={texts('security.factor.enrol.finish')}
      initial={{ code: '' }}
      faultsOf={({ code }) => ({ code: codeFault(code, texts) })}
      onClose={onClose}
      onSubmit={async ({ code }) => {
        const { recoveryCodes } = await api.call(routes.security.confirmTotp, { body: { code: code.trim() } })
        onConfirmed(recoveryCodes)
      }}
    >
      {(form) => (
        <div className={styles['enrol']}>
          <QrCode text={secret.uri} label={texts('security.factor.enrol.qr')} />
          <div className={styles['side']}>
            <p>{texts('security.factor.enrol.scan')}</p>
            <p className={styles['text']}>{texts('security.factor.enrol.manual')}</p>
            <code className={styles['secret']} translate="no">
              {secret.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
            </code>
            <CodeField {...form.field('code')} hint={texts('security.factor.enrol.code')} />
          </div>
        </div>
      )}
    </ActionDialog>
  )
}

/** New recovery codes in place of the old ones. */
export function RenewDialog({ onClose, onChanged }: FactorDialogProps) {
  const texts = useTexts()
  const { api } = useServices()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <ActionDialog
      title={texts('security.factor.renew.title')}
      text={texts('security.factor.renew.text')}
      submitLabel={texts('security.factor.renew')}
      initial={{ password: '', code: '' }}
      faultsOf={(values) => proofFaults(values, texts)}
      onClose={onClose}
      onSubmit={async ({ password, code }) => {
        const body = { password: encodePassword(password), code: code.trim() }
        const made = await api.call(routes.security.renewRecoveryCodes, { body })
        setCodes(made.recoveryCodes)
        onChanged()
      }}
    >
      {(form) => (
        <>
          <ProvePassword form={form} />
          <ProveCode form={form} />
        </>
      )}
    </ActionDialog>
  )
}

/** Off again, for who knows the password and has the app or a recovery code. */
export function DisableDialog({ onClose, onChanged }: FactorDialogProps) {
  const texts = useTexts()
  const { api } = useServices()
  return (
    <ActionDialog
      title={texts('security.factor.disable.title')}
      text={texts('security.factor.disable.text')}
      submitLabel={texts('security.factor.disable')}
      isDangerous
      initial={{ password: '', code: '' }}
      faultsOf={(values) => proofFaults(values, texts)}
      onClose={onClose}
      onSubmit={async ({ password, code }) => {
        const body = { password: encodePassword(password), code: code.trim() }
        await api.call(routes.security.removeTotp, { body })
        onChanged()
        onClose()
      }}
    >
      {(form) => (
        <>
          <ProvePassword form={form} />
          <ProveCode form={form} />
        </>
      )}
    </ActionDialog>
  )
}

function proofFaults({ password, code }: { readonly password: string; readonly code: string }, texts: Texts) {
  return { password: passwordMissing(password, texts), code: codeMissing(code, texts) }
}
