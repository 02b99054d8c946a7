/**
 * Who reads a page, for its header and for what it offers.
 */
import type {Context} from 'koa'
import type {SharedSite} from '../exchange.ts'
import {localPath} from '../pages/link.ts'
import type {Viewer} from '../pages/view.ts'
import {callerOf} from './caller.ts'

/** @returns  undefined without access control */
export function viewerOf({desk, dataset}: Pick<SharedSite, 'desk' | 'dataset'>, context: Context): Viewer | undefined {
  if (desk === undefined) return undefined
  const {agent, name = '', means} = callerOf(context)
  const isReading = context.method === 'GET' || context.method === 'HEAD'
  return {agent, name, hasSession: means === 'session', place: isReading ? context.url : localPath(dataset.base)}
}
