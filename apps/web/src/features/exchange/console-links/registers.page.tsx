import type { AdminLink } from '@godwit/contract'
import { Copy, Link as LinkIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { useCopy } from '../../../lib/copy-text.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import type { Filter } from '../../../ui/filter-bar.tsx'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import { BulkDialog } from '../../console-kit/bulk-dialog.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { ListPage } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { useRight } from '../../identity/administration/index.ts'
import { useDepartmentChoices } from '../../identity/console-departments/index.ts'
import { REGISTER_ACTIONS, REGISTER_ICONS, registerAction, type RegisterActionName } from './register-actions.ts'
import { registerColumns, sharedNames } from './register-columns.tsx'
import { RegisterDrawer } from './register-drawer.tsx'
import { LINK_SORTS, LINK_STATES, type LinkKind, REGISTERS, registerSource } from './registers-source.ts'

const SHAPE = consoleShape({
  sort: { by: 'created', order: 'desc' },
  sortable: LINK_SORTS,
  filters: ['text', 'owner', 'state', 'departmentId'],
})
const SOURCES = { share: registerSource('share'), invite: registerSource('invite') } as const

/** Share links of everybody. */
export function ShareRegister() {
  return <WithTexts kind="share" />
}

/** Invite links of everybody. */
export function InviteRegister() {
  return <WithTexts kind="invite" />
}

function WithTexts({ kind }: { readonly kind: LinkKind }) {
  const [hasOwn, hasLinks] = [useTextBundle('places'), useTextBundle('links')]
  return hasOwn && hasLinks ? <Register key={kind} kind={kind} /> : null
}

interface Question {
  readonly action: RegisterActionName
  readonly link: AdminLink
}

function Register({ kind }: { readonly kind: LinkKind }) {
  const texts = useTexts()
  const { api } = useServices()
  const refresh = useRefresh(REGISTERS)
  const [question, setQuestion] = useState<Question>()
  const columns = useMemo(() => registerColumns(kind, texts), [kind, texts])
  const actionsFor = useActionsFor()
  const ask = (action: RegisterActionName, link: AdminLink): void => setQuestion({ action, link })
  const offered = useOffered(kind)
  return (
    <>
      <ListPage
        name={`links-${kind}`}
        title={texts(`registers.${kind}.title`)}
        help={texts(`registers.${kind}.help`)}
        source={SOURCES[kind]}
        shape={SHAPE}
        filters={filtersOf(texts, useDepartmentChoices())}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={(link) => sharedNames(link, texts)}
        rowActions={useRowActions(actionsFor, ask)}
        bulk={offered.map((name) => registerAction(api, texts, kind, name))}
        empty={{
          icon: <LinkIcon size={28} />,
          title: texts(`registers.${kind}.empty.title`),
          text: texts(`registers.${kind}.empty.text`),
        }}
        renderDrawer={(id, close) => <RegisterDrawer id={id} actionsFor={actionsFor} onAsk={ask} onClose={close} />}
      />
      {question !== undefined && (
        <BulkDialog
          action={registerAction(api, texts, kind, question.action)}
          choose={() => ({ ids: [question.link.id] })}
          count={1}
          onDone={() => void refresh()}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </>
  )
}

/** What the role allows at all; only share links are bound to a device. */
function useOffered(kind: LinkKind): readonly RegisterActionName[] {
  const [canDisable, canRemove] = [useRight('links.disable'), useRight('links.delete')]
  return REGISTER_ACTIONS.filter((name) => {
    if (name === 'remove') return canRemove
    return canDisable && (name !== 'unbind' || kind === 'share')
  })
}

/** What the role allows, and what would change something. */
function useActionsFor(): (link: AdminLink) => readonly RegisterActionName[] {
  const [canDisable, canRemove] = [useRight('links.disable'), useRight('links.delete')]
  return ({ state, isBound }) =>
    REGISTER_ACTIONS.filter((name) => {
      if (name === 'remove') return canRemove
      if (name === 'unbind') return canDisable && isBound
      return canDisable && (state === 'canceled') === (name === 'enable')
    })
}

function useRowActions(
  actionsFor: (link: AdminLink) => readonly RegisterActionName[],
  ask: (action: RegisterActionName, link: AdminLink) => void,
): ReadonlyArray<Action<AdminLink>> {
  const texts = useTexts()
  const copy = useCopy()
  return [
    {
      name: 'copy-link',
      label: 'registers.copy',
      group: 'general',
      icon: Copy,
      run: ({ address }) => void copy(new URL(address, location.origin).href, { message: texts('registers.copied') }),
    },
    ...REGISTER_ACTIONS.map((name): Action<AdminLink> => ({
      name: `${name}-link`,
      label: `registers.${name}`,
      group: 'general',
      icon: REGISTER_ICONS[name],
      when: (link) => actionsFor(link).includes(name),
      run: (link) => ask(name, link),
    })),
  ]
}

/** @param departments none: this administrator may not see them, or there are none */
function filtersOf(texts: Texts, departments: readonly SelectChoice[]): readonly Filter[] {
  return [
    { kind: 'search', name: 'text', label: texts('links.filter.name') },
    { kind: 'search', name: 'owner', label: texts('registers.filter.owner') },
    {
      kind: 'choice',
      name: 'state',
      label: texts('links.status'),
      choices: LINK_STATES.map((value) => ({ value, label: texts(`links.status.${value}`) })),
    },
    ...(departments.length === 0
      ? []
      : [
          {
            kind: 'choice' as const,
            name: 'departmentId',
            label: texts('registers.department'),
            choices: departments,
          },
        ]),
  ]
}
