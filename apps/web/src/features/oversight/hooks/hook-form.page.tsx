import { routes } from '@godwit/contract/table'
import type { Hook, WantedHook } from '@godwit/contract'
import { HOOK_EVENTS, HOOK_LIMITS } from '@godwit/contract/oversight/hook-limits'
import { LIMITS } from '@godwit/contract/limits'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { type FormSchema, ON } from '../../../ui/form/index.ts'
import { FormPage } from '../../console-kit/form-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { HOOKS, useHook } from './hooks-source.ts'
import { HookSecret } from './hook-secret.tsx'

const LIST = '/admin/hooks'

type HookField = 'name' | 'url' | 'isActive' | 'events' | 'remark'
type HookValues = Readonly<Record<HookField, string>>

const NEW_HOOK: HookValues = { name: '', url: '', isActive: ON, events: 'file.committed', remark: '' }

/** Adds a webhook, and shows its secret this once. */
export function NewHookPage() {
  const texts = useTexts()
  const { api } = useServices()
  const leave = useLeave()
  const made = useRef('')
  const [secret, setSecret] = useState<string>()
  return (
    <>
      <FormPage
        title={texts('hooks.add')}
        help={texts('hooks.help')}
        back={useBack()}
        schema={schemaOf(texts)}
        initial={NEW_HOOK}
        submitLabel={texts('hooks.add')}
        onSend={async (values) => {
          made.current = (await api.call(routes.hooks.add, { body: wantedOf(values) })).secret
        }}
        onSaved={() => setSecret(made.current)}
        onCancel={() => leave()}
      />
      {secret !== undefined && <HookSecret secret={secret} onClose={() => leave(true)} />}
    </>
  )
}

/** Changes a webhook. */
export function EditHookPage() {
  const texts = useTexts()
  const { hookId = '' }: { readonly hookId?: string } = useParams({ strict: false })
  return (
    <LoadedPage title={texts('hooks.edit')} back={useBack()} query={useHook(hookId)}>
      {(hook) =>
        hook === null ? <p role="alert">{texts('hooks.gone')}</p> : <EditHookForm key={hook.id} hook={hook} />
      }
    </LoadedPage>
  )
}

function EditHookForm({ hook }: { readonly hook: Hook }) {
  const texts = useTexts()
  const { api } = useServices()
  const revision = useRef(hook.revision)
  const leave = useLeave()
  return (
    <FormPage
      title={texts('hooks.edit.of', { name: hook.name })}
      help={texts('hooks.help')}
      back={useBack()}
      schema={schemaOf(texts)}
      initial={valuesOf(hook)}
      submitLabel={texts('common.save')}
      onSend={async (values) => {
        const body = { ...wantedOf(values), revision: revision.current }
        await api.call(routes.hooks.edit, { params: { hookId: hook.id }, body })
      }}
      onConflict={async () => {
        const { rows } = await api.call(routes.hooks.list, {})
        const now = rows.find(({ id }) => id === hook.id) ?? hook
        revision.current = now.revision
        return valuesOf(now)
      }}
      onSaved={() => leave(true)}
      onCancel={() => leave()}
    />
  )
}

function schemaOf(texts: Texts): FormSchema<HookField> {
  const exact = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, translate: 'no' } as const
  return {
    name: {
      kind: 'text',
      label: texts('hooks.name'),
      isRequired: true,
      maxLength: HOOK_LIMITS.nameMax,
      autoComplete: 'off',
      errors: ['EVENT_NAME_DUPLICATE'],
      wire: 'name',
    },
    url: {
      kind: 'text',
      label: texts('hooks.url'),
      hint: texts('hooks.url.hint'),
      isRequired: true,
      maxLength: HOOK_LIMITS.urlMax,
      rule: (value) => (/^https?:\/\/[^\s/]+/i.test(value.trim()) ? undefined : texts('hooks.url.rule')),
      errors: ['HOOK_ADDRESS_REFUSED'],
      wire: 'url',
      ...exact,
    },
    isActive: { kind: 'switch', label: texts('hooks.active'), hint: texts('hooks.active.hint') },
    events: {
      kind: 'checks',
      label: texts('hooks.events'),
      isRequired: true,
      choices: HOOK_EVENTS.map((value) => ({ value, label: texts(`hooks.event.${value}`) })),
      wire: 'events',
    },
    remark: {
      kind: 'text',
      label: texts('hooks.remark'),
      maxLength: LIMITS.remarkMax,
      autoComplete: 'off',
      wire: 'remark',
    },
  }
}

function wantedOf({ name, url, isActive, events, remark }: HookValues): WantedHook {
  return {
    ...{ name: name.trim(), url: url.trim(), remark },
    events: HOOK_EVENTS.filter((event) => events.split(' ').includes(event)),
    state: isActive === ON ? 'activated' : 'inactivated',
  }
}

function valuesOf({ name, url, state, events, remark }: Hook): HookValues {
  return { name, url, isActive: state === 'activated' ? ON : '', events: events.join(' '), remark }
}

function useLeave(): (isSaved?: boolean) => void {
  const texts = useTexts()
  const navigate = useNavigate()
  const { messages } = useServices()
  const refresh = useRefresh(HOOKS)
  return (isSaved = false) => {
    if (isSaved) {
      void refresh()
      messages.notify('success', texts('hooks.saved'))
    }
    void navigate({ to: LIST })
  }
}

function useBack(): { readonly to: string; readonly label: string } {
  return { to: LIST, label: useTexts()('hooks.title') }
}
