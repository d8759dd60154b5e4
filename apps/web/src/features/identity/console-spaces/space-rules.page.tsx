import { routes } from '@godwit/contract/table'
import type { AdminSpace } from '@godwit/contract'
import type { EditionName } from '@godwit/contract/foundation/editions'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { useRef } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import type { Field, FormSchema } from '../../../ui/form/index.ts'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { FormPage } from '../../console-kit/form-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { useMissing } from '../../foundation/site/index.ts'
import { addressListField } from '../address-lists/index.ts'
import { speedFields, speedOf, type SpeedValues, speedValuesOf, weightOf } from '../transfer-limits/index.ts'
import { SPACES, useSpace } from './spaces-source.ts'

type RuleField = 'allowed' | 'denied' | keyof SpeedValues
type RuleValues = Readonly<Record<RuleField, string>>

const LIST = '/admin/spaces'

/** From where a space is reached, and how fast its transfers are. */
export function SpaceRulesPage() {
  const texts = useTexts()
  const hasTexts = useTextBundle('places')
  const { spaceId }: { readonly spaceId?: string } = useParams({ strict: false })
  const query = useSpace(Number(spaceId))
  if (!hasTexts) return null
  const back = { to: LIST, label: texts('console-spaces.title') }
  return (
    <LoadedPage title={texts('console-spaces.rules')} back={back} query={query}>
      {(space) =>
        space === null ? (
          <StatePanel icon={<Boxes size={28} />} title={texts('console-spaces.gone')} />
        ) : (
          <RulesForm key={space.id} space={space} />
        )
      }
    </LoadedPage>
  )
}

function RulesForm({ space }: { readonly space: AdminSpace }) {
  const texts = useTexts()
  const navigate = useNavigate()
  const { api, messages } = useServices()
  const refresh = useRefresh(SPACES)
  const revision = useRef(space.revision)
  const name = nameOfSpace(space, texts)
  return (
    <FormPage
      title={texts('console-spaces.rules.title', { name })}
      help={texts('console-spaces.rules.help')}
      back={{ to: LIST, label: texts('console-spaces.title') }}
      schema={rulesSchema(texts, space, useMissing()('addressLists'))}
      initial={valuesOf(space)}
      submitLabel={texts('common.save')}
      onSend={async (values) => {
        const { allowed, denied, ...speed } = values
        const addresses = { allowedAddresses: allowed.trim(), deniedAddresses: denied.trim() }
        const speeds = { speed: speedOf(speed), weight: weightOf(speed) }
        const body = { revision: revision.current, ...addresses, ...speeds }
        await api.call(routes.adminSpaces.edit, { params: { spaceId: space.id }, body })
      }}
      onConflict={async () => {
        const { spaces } = await api.call(routes.adminSpaces.list, {})
        const now = spaces.find(({ id }) => id === space.id) ?? space
        revision.current = now.revision
        return valuesOf(now)
      }}
      onSaved={() => {
        void refresh()
        messages.notify('success', texts('console-spaces.edit.done', { name }))
        void navigate({ to: LIST })
      }}
      onCancel={() => void navigate({ to: LIST })}
    />
  )
}

function rulesSchema(texts: Texts, space: AdminSpace, missing: EditionName | undefined): FormSchema<RuleField> {
  const { allowed, denied } = valuesOf(space)
  const list = (name: 'allowed' | 'denied'): Field<RuleField> =>
    addressListField({
      label: texts(`console-spaces.${name}`),
      hint: texts(`console-spaces.${name}.hint`),
      wire: `${name}Addresses`,
      // One limit stands for both of them.
      held: allowed + denied,
      limited: texts('console-spaces.addresses'),
      missing,
    })
  const hints = { hint: texts('console-spaces.speed.hint'), weightHint: texts('console-spaces.weight.hint') }
  const speed = speedFields<RuleField>({ texts, ...hints })
  const isOne = missing !== undefined && allowed + denied === ''
  return { allowed: list('allowed'), denied: { ...list('denied'), isHidden: () => isOne }, ...speed }
}

function valuesOf(space: AdminSpace): RuleValues {
  return { allowed: space.allowedAddresses, denied: space.deniedAddresses, ...speedValuesOf(space) }
}
