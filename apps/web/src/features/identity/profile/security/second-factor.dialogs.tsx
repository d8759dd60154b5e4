import { routes } from '@godwit/contract/table'
import { encodePassword } from '@godwit/contract/passwords'
import { useState } from 'react'
import { useServices } from '../../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { FormDialog, type FormSchema } from '../../../../ui/form/index.ts'
import { codeFault } from '../../codes/index.ts'
import { Scan, type Secret } from '../../factor-parts/index.ts'
import { codeProof, passwordProof, UsernameHint } from '../proof-fields.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export interface FactorDialogProps {
  readonly onClose: () => void
  /** The second step is different now; the dialog may still show what belongs to it. */
  readonly onChanged: () => void
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
    <FormDialog<'password'>
      title={texts('security.factor.enrol.title')}
      text={texts('security.factor.enrol.prove')}
      submitLabel={texts('common.continue')}
      schema={{ password: passwordProof(texts) }}
      initial={{ password: '' }}
      isFollowed
      lead={<UsernameHint />}
      onClose={onClose}
      onSend={async ({ password }) => {
        onBegun(await api.call(routes.security.beginTotp, { body: { password: encodePassword(password) } }))
      }}
    />
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
    <FormDialog
      key="scan"
      title={texts('security.factor.enrol.title')}
      submitLabel={texts('security.factor.enrol.finish')}
      schema={{
        code: { ...codeOfApp(texts), render: (form, error) => <Scan secret={secret} form={form} error={error} /> },
      }}
      initial={{ code: '' }}
      isShownOnce
      onClose={onClose}
      onSend={async ({ code }) => {
        const { recoveryCodes } = await api.call(routes.security.confirmTotp, { body: { code: code.trim() } })
        onConfirmed(recoveryCodes)
      }}
    />
  )
}

function codeOfApp(texts: Texts) {
  return {
    kind: 'custom',
    label: texts('code.label'),
    isRequired: true,
    missing: texts('code.required'),
    rule: (code: string) => codeFault(code, texts),
    errors: ['SECOND_FACTOR_WRONG'],
  } as const
}

/** New recovery codes in place of the old ones. */
export function RenewDialog({ onClose, onChanged }: FactorDialogProps) {
  const texts = useTexts()
  const { api } = useServices()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <FormDialog
      title={texts('security.factor.renew.title')}
      text={texts('security.factor.renew.text')}
      submitLabel={texts('security.factor.renew')}
      schema={proofOfBoth(texts)}
      initial={{ password: '', code: '' }}
      isShownOnce
      lead={<UsernameHint />}
      onClose={onClose}
      onSend={async ({ password, code }) => {
        const body = { password: encodePassword(password), code: code.trim() }
        const made = await api.call(routes.security.renewRecoveryCodes, { body })
        setCodes(made.recoveryCodes)
        onChanged()
      }}
    />
  )
}

/** Off again, for who knows the password and has the app or a recovery code. */
export function DisableDialog({ onClose, onChanged }: FactorDialogProps) {
  const texts = useTexts()
  const { api } = useServices()
  return (
    <FormDialog
      title={texts('security.factor.disable.title')}
      text={texts('security.factor.disable.text')}
      submitLabel={texts('security.factor.disable')}
      isDangerous
      schema={proofOfBoth(texts)}
      initial={{ password: '', code: '' }}
      lead={<UsernameHint />}
      onClose={onClose}
      onSend={async ({ password, code }) => {
        const body = { password: encodePassword(password), code: code.trim() }
        await api.call(routes.security.removeTotp, { body })
        onChanged()
      }}
    />
  )
}

function proofOfBoth(texts: Texts): FormSchema<'password' | 'code'> {
  return { password: passwordProof(texts), code: codeProof(texts) }
}
