import { routes } from '@godwit/contract/table'
import type { Hook, WantedHook } from '@godwit/contract'
import { HOOK_EVENTS, HOOK_KINDS, HOOK_LIMITS } from '@godwit/contract/oversight/hook-limits'
import { LIMITS } from '@godwit/contract/limits'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { type FormSchema, ON } from '../../../ui/form/index.ts'
import { FormPage } from '../../console-kit/form-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { HOOKS, useHook, usePrograms } from './hooks-source.ts'
import { HookSecret } from './hook-secret.tsx'

const LIST = '/admin/hooks'

type HookField = 'name' | 'kind' | 'url' | 'program' | 'commandLine' | 'waitSeconds' | 'isActive' | 'events' | 'remark'
type ProgramField = 'program' | 'commandLine' | 'waitSeconds'
type HookValues = Readonly<Record<HookField, string>>

const NEW_HOOK: HookValues = {
  ...{ name: '', kind: 'webhook', url: '', program: '', commandLine: '', waitSeconds: '30' },
  ...{ isActive: ON, events: 'file.committed', remark: '' },
}

/** Adds a webhook, and shows its secret this once. */
export function NewHookPage() {
  const texts = useTexts()
  const { api } = useServices()
  const leave = useLeave()
  const made = useRef('')
  const [secret, setSecret] = useState<string>()
  const programs = usePrograms()
  return (
    <>
      <FormPage
        title={texts('hooks.add')}
        help={texts('hooks.help')}
        back={useBack()}
        schema={schemaOf(texts, programs)}
        initial={NEW_HOOK}
        submitLabel={texts('hooks.add')}
        onSend={async (values) => {
          made.current = (await api.call(routes.hooks.add, { body: wantedOf(values) })).secret
        }}
        onSaved={() => (made.current === '' ? leave(true) : setSecret(made.current))}
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
  const programs = usePrograms()
  const leave = useLeave()
  return (
    <FormPage
      title={texts('hooks.edit.of', { name: hook.name })}
      help={texts('hooks.help')}
      back={useBack()}
      schema={schemaOf(texts, programs, hook)}
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

const exact = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, translate: 'no' } as const

const isProgram = ({ kind }: HookValues): boolean => kind === 'program'

function programFields(texts: Texts, names: readonly string[]): Pick<FormSchema<HookField>, ProgramField> {
  return {
    program: {
      kind: 'select',
      label: texts('hooks.program'),
      hint: texts('hooks.program.hint'),
      choices: [
        { value: '', label: texts('hooks.program.choose') },
        ...names.map((value) => ({ value, label: value })),
      ],
      translate: 'no',
      isRequired: isProgram,
      isHidden: (values) => !isProgram(values),
      errors: ['HOOK_PROGRAM_REFUSED'],
      wire: 'program',
    },
    commandLine: {
      kind: 'text',
      label: texts('hooks.command-line'),
      hint: texts('hooks.command-line.hint'),
      maxLength: HOOK_LIMITS.commandLineMax,
      isHidden: (values) => !isProgram(values),
      wire: 'commandLine',
      ...exact,
    },
    waitSeconds: {
      kind: 'text',
      label: texts('hooks.wait'),
      hint: texts('hooks.wait.hint'),
      inputMode: 'numeric',
      autoComplete: 'off',
      isRequired: isProgram,
      isHidden: (values) => !isProgram(values),
      rule: (value) =>
        /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= HOOK_LIMITS.waitSecondsMax
          ? undefined
          : texts('hooks.wait.rule', { max: HOOK_LIMITS.waitSecondsMax }),
      wire: 'waitSeconds',
    },
  }
}

/** @param programs undefined until they are known, null where the site has no folder for them */
function schemaOf(texts: Texts, programs: readonly string[] | null | undefined, hook?: Hook): FormSchema<HookField> {
  // What a hook runs stays to be seen when the file is gone.
  const names = [
    ...new Set([...(programs ?? []), ...(hook === undefined || hook.program === '' ? [] : [hook.program])]),
  ]
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
    kind: {
      kind: 'select',
      label: texts('hooks.kind'),
      hint: texts(programs === null ? 'hooks.kind.off' : 'hooks.kind.hint'),
      choices: HOOK_KINDS.filter((kind) => kind === 'webhook' || programs !== null || hook?.kind === kind).map(
        (value) => ({
          value,
          label: texts(`hooks.kind.${value}`),
        }),
      ),
      isReadOnly: hook !== undefined,
      wire: 'kind',
    },
    ...programFields(texts, names),
    url: {
      kind: 'text',
      label: texts('hooks.url'),
      hint: texts('hooks.url.hint'),
      isRequired: (values) => !isProgram(values),
      isHidden: isProgram,
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

function wantedOf(values: HookValues): WantedHook {
  const { name, kind, url, program, commandLine, waitSeconds, isActive, events, remark } = values
  return {
    ...{ name: name.trim(), url: url.trim(), program, commandLine, waitSeconds: Number(waitSeconds), remark },
    kind: kind === 'program' ? 'program' : 'webhook',
    events: HOOK_EVENTS.filter((event) => events.split(' ').includes(event)),
    state: isActive === ON ? 'activated' : 'inactivated',
  }
}

function valuesOf({ waitSeconds, state, events, ...hook }: Hook): HookValues {
  const { name, kind, url, program, commandLine, remark } = hook
  const called = { kind, url, program, commandLine, waitSeconds: String(waitSeconds) }
  return { name, ...called, isActive: state === 'activated' ? ON : '', events: events.join(' '), remark }
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
