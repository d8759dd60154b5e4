import { routes } from '@godwit/contract/table'
import type { Hook } from '@godwit/contract'
import { useNavigate } from '@tanstack/react-router'
import { KeyRound, List, Pencil, Send, Trash2, Webhook } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form/index.ts'
import { Tag } from '../../../ui/tag.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { testText } from './hook-outcome.ts'
import { HOOKS, hooksSource } from './hooks-source.ts'
import { HookSecret } from './hook-secret.tsx'

const SHAPE = consoleShape({ filters: [] })

type Question = { readonly kind: 'secret' | 'remove'; readonly hook: Hook }

/** Addresses that are called when something happens. */
export function HooksPage() {
  const texts = useTexts()
  const navigate = useNavigate()
  const [question, setQuestion] = useState<Question>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  const close = (): void => setQuestion(undefined)
  const add = (
    <Button kind="solid" onClick={() => void navigate({ to: '/admin/hooks/new' })}>
      {texts('hooks.add')}
    </Button>
  )
  return (
    <>
      <ListPage
        name="hooks"
        title={texts('hooks.title')}
        help={texts('hooks.help')}
        actions={add}
        source={hooksSource}
        shape={SHAPE}
        filters={[]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        rowActions={useRowActions(setQuestion)}
        empty={{
          icon: <Webhook size={28} />,
          title: texts('hooks.empty.title'),
          text: texts('hooks.empty.text'),
          action: add,
        }}
      />
      {question?.kind === 'remove' && <RemoveDialog hook={question.hook} onClose={close} />}
      {question?.kind === 'secret' && <SecretDialog hook={question.hook} onClose={close} />}
    </>
  )
}

function useRowActions(ask: (question: Question) => void): ReadonlyArray<Action<Hook>> {
  const texts = useTexts()
  const navigate = useNavigate()
  const { api, messages } = useServices()
  const test = async ({ id }: Hook): Promise<void> => {
    const tested = await api.call(routes.hooks.tryOut, { params: { hookId: id } })
    messages.notify(tested.isDelivered ? 'success' : 'error', testText(tested, texts))
  }
  return [
    {
      name: 'hook-deliveries',
      label: 'hooks.deliveries',
      group: 'general',
      icon: List,
      run: ({ id }) => void navigate({ to: `/admin/hooks/${id}/deliveries` }),
    },
    {
      name: 'test-hook',
      label: 'hooks.test',
      group: 'general',
      icon: Send,
      run: (hook) => void test(hook).catch((error: unknown) => messages.fail(error, texts)),
    },
    {
      name: 'edit-hook',
      label: 'hooks.edit',
      group: 'general',
      icon: Pencil,
      run: ({ id }) => void navigate({ to: `/admin/hooks/${id}` }),
    },
    {
      name: 'renew-secret',
      label: 'hooks.secret.renew',
      group: 'general',
      icon: KeyRound,
      when: ({ kind }) => kind === 'webhook',
      run: (hook) => ask({ kind: 'secret', hook }),
    },
    {
      name: 'remove-hook',
      label: 'hooks.remove',
      group: 'general',
      icon: Trash2,
      run: (hook) => ask({ kind: 'remove', hook }),
    },
  ]
}

interface HookDialogProps {
  readonly hook: Hook
  readonly onClose: () => void
}

function RemoveDialog({ hook: { id, name }, onClose }: HookDialogProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(HOOKS)
  return (
    <FormDialog
      title={texts('hooks.remove.title', { name })}
      text={texts('hooks.remove.text')}
      submitLabel={texts('hooks.remove')}
      isDangerous
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.hooks.remove, { body: { hookId: id } })
        void refresh()
        messages.notify('success', texts('hooks.remove.done', { name }))
      }}
    />
  )
}

function SecretDialog({ hook: { id, name }, onClose }: HookDialogProps) {
  const texts = useTexts()
  const { api } = useServices()
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <HookSecret secret={secret} onClose={onClose} />
  return (
    <FormDialog
      title={texts('hooks.secret.renew.title', { name })}
      text={texts('hooks.secret.renew.text')}
      submitLabel={texts('hooks.secret.renew')}
      isDangerous
      isShownOnce
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => setSecret((await api.call(routes.hooks.renewSecret, { params: { hookId: id } })).secret)}
    />
  )
}

/** What a hook calls. */
function calledBy({ kind, url, program, commandLine }: Hook): string {
  return kind === 'program' ? `${program} ${commandLine}`.trimEnd() : url
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<Hook>> {
  const stateText = ({ isGivenUp, state, failingSince }: Hook): string => {
    if (isGivenUp) return texts('hooks.state.given-up')
    if (state === 'inactivated') return texts('hooks.state.inactivated')
    return texts(failingSince === null ? 'hooks.state.activated' : 'hooks.state.failing')
  }
  const toneOf = ({ isGivenUp, state, failingSince }: Hook): 'plain' | 'good' | 'bad' => {
    if (isGivenUp || (state === 'activated' && failingSince !== null)) return 'bad'
    return state === 'activated' ? 'good' : 'plain'
  }
  const number = (id: string, header: string, pick: (hook: Hook) => number): ListColumn<Hook> => {
    const text = (hook: Hook): string => pick(hook).toLocaleString(texts.locale)
    return { id, header, isNumeric: true, width: '100px', text, cell: text }
  }
  return [
    {
      id: 'name',
      header: texts('hooks.name'),
      narrow: 'title',
      width: 'minmax(140px, 1fr)',
      text: ({ name }) => name,
      cell: ({ name }) => <span translate="no">{name}</span>,
    },
    {
      id: 'state',
      header: texts('hooks.state'),
      width: '120px',
      text: stateText,
      cell: (hook) => <Tag tone={toneOf(hook)}>{stateText(hook)}</Tag>,
    },
    {
      id: 'url',
      header: texts('hooks.target'),
      width: 'minmax(200px, 2fr)',
      text: calledBy,
      cell: (hook) => (
        <span translate="no" title={calledBy(hook)}>
          {calledBy(hook)}
        </span>
      ),
    },
    number('events', texts('hooks.events'), ({ events }) => events.length),
    number('waiting', texts('hooks.waiting'), ({ waiting }) => waiting),
    number('failed', texts('hooks.failed'), ({ failed }) => failed),
  ]
}
