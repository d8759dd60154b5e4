import type { ApiTokenView } from '@godwit/contract'
import { SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { lazyModule, lazyWindow } from '../../../../lib/lazy.tsx'
import { formatTime } from '../../../../lib/formats.ts'
import { useServices } from '../../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { Button } from '../../../../ui/button.tsx'
import { SectionCard } from '../../../../ui/section-card.tsx'
import { EntryList, Tag } from '../entry-list.tsx'
import listStyles from '../entry-list.module.css'
import { Loaded } from '../loaded.tsx'
import { grantableOf } from './token-permissions.ts'
import { useApiTokens, useApiTokensRefresh } from './tokens-query.ts'

const dialogs = lazyModule(() => import('./tokens.dialogs.tsx'))
const CreateTokenDialog = lazyWindow(dialogs, (module) => module.CreateTokenDialog)
const RevokeDialog = lazyWindow(dialogs, (module) => module.RevokeDialog)

type Question = { readonly kind: 'create' } | { readonly kind: 'revoke'; readonly token: ApiTokenView }

/** Bearer tokens for programs: made with a name, rights and an end, shown once, revoked at once. */
export function TokensPage() {
  const texts = useTexts()
  const { clock } = useServices()
  const query = useApiTokens()
  const refresh = useApiTokensRefresh()
  const [question, setQuestion] = useState<Question>()
  const close = (): void => {
    setQuestion(undefined)
    void refresh()
  }
  return (
    <SectionCard
      title={texts('profile.tokens')}
      lead={texts('tokens.lead')}
      action={
        <Button kind="solid" onClick={() => setQuestion({ kind: 'create' })}>
          {texts('tokens.add')}
        </Button>
      }
    >
      <Loaded query={query}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p className={listStyles['none']}>{texts('tokens.empty')}</p>
          ) : (
            <EntryList
              label={texts('profile.tokens')}
              entries={tokens.map((token) => entryOf(token, { texts, now: clock.now(), onAsk: setQuestion }))}
            />
          )
        }
      </Loaded>
      {question?.kind === 'create' && <CreateTokenDialog onClose={close} />}
      {question?.kind === 'revoke' && <RevokeDialog token={question.token} onClose={close} />}
    </SectionCard>
  )
}

interface Around {
  readonly texts: Texts
  /** Unix milliseconds. */
  readonly now: number
  readonly onAsk: (question: Question) => void
}

function entryOf(token: ApiTokenView, { texts, now, onAsk }: Around) {
  const { id, name, permission, expiresAt, lastUsedAt } = token
  const time = formatTime(expiresAt / 1000)
  const rights = grantableOf(permission).map((each) => texts(`permission.${each}`))
  return {
    id,
    icon: <SquareTerminal size={20} />,
    title: (
      <>
        <span translate="no">{name}</span>
        {expiresAt <= now && <Tag tone="bad">{texts('tokens.expired', { time })}</Tag>}
      </>
    ),
    facts: [
      new Intl.ListFormat(texts.locale).format(rights),
      ...(expiresAt > now ? [texts('tokens.expires', { time })] : []),
      lastUsedAt === null ? texts('tokens.unused') : texts('tokens.used', { time: formatTime(lastUsedAt / 1000) }),
    ],
    actions: (
      <Button
        kind="danger"
        onClick={() => onAsk({ kind: 'revoke', token })}
        aria-label={texts('tokens.revoke-label', { name })}
      >
        {texts('tokens.revoke')}
      </Button>
    ),
  }
}
