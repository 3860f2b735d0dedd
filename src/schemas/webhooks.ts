import Joi from 'joi';
import { isHttpAddress } from '../domain/options';
import { WEBHOOK_EVENTS } from '../domain/webhooks';
import type {
  CreateWebhookInput,
  ListWebhookDeliveriesInput,
  ListWebhooksInput,
  ReplayWebhookInput,
  RotateWebhookSecretInput,
  WebhookInput,
} from '../operator-inputs';
import { obstacle } from '../outbound/addresses';
import type {
  CreateWebhookCommand,
  ListWebhookDeliveriesCommand,
  PageCommand,
  ReplayWebhookCommand,
  RotateWebhookSecretCommand,
  WebhookCommand,
} from '../usecases/commands';
import { oneOf, pageFields } from './common';
import { inputSchema, type InputSchema } from './input';
import { refuseNegativeZero } from './money';
import type { Rules } from './rules';
import { line } from './text';

const LONGEST_URL = 2_000;
const LONGEST_DESCRIPTION = 2_000;
const LONGEST_OVERLAP_SECONDS = 30 * 86_400;
const DEFAULT_OVERLAP_SECONDS = 86_400;

const webhookId = Joi.number().integer().min(1).required();
const seq = () => Joi.number().integer().min(1);

/** The address of a webhook. Host names are resolved and checked later, at each connection. */
function webhookUrl(allowPrivate: boolean): Joi.StringSchema {
  const scheme = allowPrivate ? 'http or https' : 'https';
  return line(LONGEST_URL)
    .custom((text: string, helpers) => {
      const problem = urlProblem(text, allowPrivate);
      return problem === null ? text : helpers.message({ custom: `{{#label}} must be ${problem}` });
    })
    .required()
    .description(
      `An ${scheme} address without user and fragment${allowPrivate ? '' : ', not a private one'}`,
    );
}

const WITHOUT = { 'no TLS': 'an https address', private: 'an address of the public internet' } as const;
const UNLESS = 'unless the option webhooks.allowPrivate (WEBHOOK_ALLOW_PRIVATE=1) permits others';

function urlProblem(text: string, allowPrivate: boolean): string | null {
  if (!isHttpAddress(text)) return 'an http(s) address';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    return 'an address without user and fragment';
  const found = allowPrivate ? null : obstacle(url);
  return found === null ? null : `${WITHOUT[found]}, ${UNLESS}`;
}

/** The body for a new webhook. `allowPrivate` allows private addresses and addresses without TLS. */
export function createWebhookBody(
  allowPrivate: boolean,
): InputSchema<CreateWebhookInput, CreateWebhookCommand> {
  return inputSchema<CreateWebhookInput, CreateWebhookCommand>(
    {
      url: webhookUrl(allowPrivate),
      description: line(LONGEST_DESCRIPTION).description('A text of your own, for operators'),
      events: Joi.array()
        .items(oneOf(WEBHOOK_EVENTS))
        .min(1)
        .unique()
        .description('The events that are sent; all when left out'),
      seq: seq().description('Number of the first fact to be sent; facts from now on when left out'),
    },
    { description: null, events: null, seq: null },
  );
}

export const webhooksQuery = inputSchema<ListWebhooksInput, PageCommand>(pageFields, {});
export const deliveriesQuery = webhooksQuery;
export const webhookInput = inputSchema<WebhookInput, WebhookCommand>({ id: webhookId }, {});
export const listDeliveriesInput = inputSchema<ListWebhookDeliveriesInput, ListWebhookDeliveriesCommand>(
  { ...pageFields, id: webhookId },
  {},
);

type WithoutId<Input> = Omit<Input, 'id'>;

const replayFields: Rules<WithoutId<ReplayWebhookInput>> = {
  seq: seq().required().description('Number of the first fact to be sent, once more or for the first time'),
};
export const replayBody = inputSchema<WithoutId<ReplayWebhookInput>, WithoutId<ReplayWebhookCommand>>(
  replayFields,
  {},
);
export const replayInput = inputSchema<ReplayWebhookInput, ReplayWebhookCommand>(
  { ...replayFields, id: webhookId },
  {},
);

const rotateFields: Rules<WithoutId<RotateWebhookSecretInput>> = {
  overlapSeconds: Joi.number()
    .integer()
    .min(0)
    .max(LONGEST_OVERLAP_SECONDS)
    .custom(refuseNegativeZero)
    .default(DEFAULT_OVERLAP_SECONDS)
    .description('How long the older secrets sign too; 0 ends them at once. A day when left out'),
};
export const rotateBody = inputSchema<
  WithoutId<RotateWebhookSecretInput>,
  WithoutId<RotateWebhookSecretCommand>
>(rotateFields, {});
export const rotateInput = inputSchema<RotateWebhookSecretInput, RotateWebhookSecretCommand>(
  { ...rotateFields, id: webhookId },
  {},
);
