import type { PasskeyView } from '@godwit/contract'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { Action } from '../../../../lib/actions.tsx'
import { lazyModule, lazyWindow } from '../../../../lib/lazy.tsx'
import { formatTime } from '../../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { Button } from '../../../../ui/button.tsx'
import { DataTable, type Column, TIME_WIDTH } from '../../../../ui/data-table/index.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { SectionCard } from '../../../../ui/section-card.tsx'
import { canHavePasskeys } from '../../auth/index.ts'
import styles from './security.module.css'
import { usePasskeys } from './security-query.ts'

const dialogs = lazyModule(() => import('./passkeys.dialogs.tsx'))
const AddPasskeyDialog = lazyWindow(dialogs, (module) => module.AddPasskeyDialog)
const RenamePasskeyDialog = lazyWindow(dialogs, (module) => module.RenamePasskeyDialog)
const RemovePasskeyDialog = lazyWindow(dialogs, (module) => module.RemovePasskeyDialog)

type Question = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: PasskeyView }

/** Passkeys of this account, where the address of the page can have them. */
export function PasskeysSection() {
  const texts = useTexts()
  const query = usePasskeys()
  const [question, setQuestion] = useState<Question>()
  const close = (): void => setQuestion(undefined)
  const canAdd = canHavePasskeys()
  const rowActions: ReadonlyArray<Action<PasskeyView>> = [
    {
      name: 'rename-passkey',
      label: 'security.passkeys.rename',
      group: 'general',
      icon: Pencil,
      run: (passkey) => setQuestion({ kind: 'rename', passkey }),
    },
    {
      name: 'remove-passkey',
      label: 'security.passkeys.remove',
      group: 'general',
      tone: 'danger',
      run: (passkey) => setQuestion({ kind: 'remove', passkey }),
    },
  ]
  return (
    <SectionCard
      title={texts('security.passkeys')}
      lead={texts('security.passkeys.lead')}
      action={canAdd && <Button onClick={() => setQuestion({ kind: 'add' })}>{texts('security.passkeys.add')}</Button>}
    >
      {!canAdd && <Notice kind="info">{texts('security.passkeys.unavailable')}</Notice>}
      <DataTable
        label={texts('security.passkeys')}
        columns={columnsOf(texts)}
        rows={query.data}
        error={query.error}
        onRetry={() => void query.refetch()}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={canAdd && <p className={styles['none']}>{texts('security.passkeys.empty')}</p>}
        rowActions={rowActions}
      />
      {question?.kind === 'add' && <AddPasskeyDialog onClose={close} />}
      {question?.kind === 'rename' && <RenamePasskeyDialog passkey={question.passkey} onClose={close} />}
      {question?.kind === 'remove' && <RemovePasskeyDialog passkey={question.passkey} onClose={close} />}
    </SectionCard>
  )
}

function columnsOf(texts: Texts): ReadonlyArray<Column<PasskeyView>> {
  return [
    {
      id: 'name',
      header: texts('security.passkeys.name'),
      narrow: 'title',
      cell: ({ name }) => <span translate="no">{name}</span>,
    },
    {
      id: 'created',
      header: texts('security.passkeys.created'),
      width: TIME_WIDTH,
      cell: ({ createdAt }) => formatTime(createdAt / 1000),
    },
    {
      id: 'used',
      header: texts('security.passkeys.used'),
      width: TIME_WIDTH,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? texts('security.passkeys.unused') : formatTime(lastUsedAt / 1000),
    },
  ]
}
