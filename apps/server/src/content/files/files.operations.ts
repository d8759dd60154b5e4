import { fileOperations } from '@godwit/contract'
import { operation, type Operation } from '../../kernel/endpoint.ts'
import { attributes } from './files.attributes.ts'
import type { FilesDeps } from './files.deps.ts'
import { columns, list } from './files.list.ts'
import { exists, makeFolder, rename } from './files.service.ts'

export function filesOperations(deps: FilesDeps): Operation[] {
  return [
    operation(fileOperations.list, (ctx, input) => list(deps, ctx, input)),
    operation(fileOperations.columns, (ctx, input) => columns(deps, ctx, input)),
    operation(fileOperations.mkdir, (ctx, input) => makeFolder(deps, ctx, input)),
    operation(fileOperations.rename, (ctx, input) => rename(deps, ctx, input)),
    operation(fileOperations.exists, (ctx, input) => exists(deps, ctx, input)),
    operation(fileOperations.attributes, (ctx, input) => attributes(deps, ctx, input)),
  ]
}
