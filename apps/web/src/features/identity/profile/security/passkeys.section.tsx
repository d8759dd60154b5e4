import type { PasskeyView } from '@godwit/contract'
import { KeyRound, Pencil } from 'lucide-react'
import { useState } from 'react'
import { lazyModule, lazyWindow } from '../../../../lib/lazy.tsx'
import { formatTime } from '../../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { SectionCard } from '../../../../ui/section-card.tsx'
import { canHavePasskeys } from '../../auth/index.ts'
import { EntryList } from '../entry-list.tsx'
import listStyles from '../entry-list.module.css'
import { Loaded } from '../loaded.tsx'
import { usePasskeys, useSecurityRefresh } from './security-query.ts'

const dialogs = lazyModule(() => import('./passkeys.dialogs.tsx'))
const AddPasskeyDialog = lazyWindow(dialogs, (module) => module.AddPasskeyDialog)
const RenamePasskeyDialog = lazyWindow(dialogs, (module) => module.RenamePasskeyDialog)
const RemovePasskeyDialog = lazyWindow(dialogs, (module) => module.RemovePasskeyDialog)

type Question = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: PasskeyView }

/** Passkeys of this account, where the address of the page can have them. */
export function PasskeysSection() {
  const texts = useTexts()
  const query = usePasskeys()
  const refresh = useSecurityRefresh()
  const [question, setQuestion] = useState<Question>()
  const close = (): void => {
    setQuestion(undefined)
    void refresh('passkeys')
  }
  const canAdd = canHavePasskeys()
  return (
    <SectionCard
      title={texts('security.passkeys')}
      lead={texts('security.passkeys.lead')}
      action={canAdd && <Button onClick={() => setQuestion({ kind: 'add' })}>{texts('security.passkeys.add')}</Button>}
    >
      {!canAdd && <Notice kind="info">{texts('security.passkeys.unavailable')}</Notice>}
      <Loaded query={query}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            canAdd && <p className={listStyles['none']}>{texts('security.passkeys.empty')}</p>
          ) : (
            <EntryList
              label={texts('security.passkeys')}
              entries={passkeys.map((passkey) => entryOf(passkey, texts, setQuestion))}
            />
          )
        }
      </Loaded>
      {question?.kind === 'add' && <AddPasskeyDialog onClose={close} />}
      {question?.kind === 'rename' && <RenamePasskeyDialog passkey={question.passkey} onClose={close} />}
      {question?.kind === 'remove' && <RemovePasskeyDialog passkey={question.passkey} onClose={close} />}
    </SectionCard>
  )
}

function entryOf(passkey: PasskeyView, texts: Texts, onAsk: (question: Question) => void) {
  const { id, name, createdAt, lastUsedAt } = passkey
  return {
    id,
    icon: <KeyRound size={20} />,
    title: <span translate="no">{name}</span>,
    facts: [
      texts('security.passkeys.created', { time: formatTime(createdAt / 1000) }),
      lastUsedAt === null
        ? texts('security.passkeys.unused')
        : texts('security.passkeys.used', { time: formatTime(lastUsedAt / 1000) }),
    ],
    actions: (
      <>
        <IconButton
          label={texts('security.passkeys.rename-label', { name })}
          icon={<Pencil size={18} aria-hidden="true" />}
          onClick={() => onAsk({ kind: 'rename', passkey })}
        />
        <Button
          kind="danger"
          onClick={() => onAsk({ kind: 'remove', passkey })}
          aria-label={texts('security.passkeys.remove-label', { name })}
        >
          {texts('security.passkeys.remove')}
        </Button>
      </>
    ),
  }
}
