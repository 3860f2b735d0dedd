import type Joi from 'joi';
import { controlMessages, marketSnapshot, snapshot } from '../../events/control.schema';
import { eventMessages, figures } from '../../events/message.schema';
import { clientCommands } from '../../schemas/live';
import { componentsOf, type JsonSchema } from '../openapi/schema';
import { API_PREFIX } from '../prefix';
import { COMMAND_EXAMPLES, CONTROL_EXAMPLES, eventExamples } from './examples';
import { CHANNELS, COMMANDS, CONTROL_SUMMARIES, EVENT_SUMMARIES, type ChannelText } from './texts';

export interface AsyncApiOptions {
  title: string;
  version: string;
  /** The absolute address of this service, with the mount path. */
  address: string;
  /** The whole path of the socket. `null`: the usual path below the address. */
  socketPath: string | null;
}

interface Reference {
  $ref: string;
}

export interface AsyncApiMessage {
  name: string;
  summary: string;
  contentType: string;
  payload: Reference;
  examples: { payload: unknown }[];
}

export interface AsyncApiChannel {
  address: string | null;
  title: string;
  description: string;
  servers: Reference[];
  parameters?: Record<string, { description: string; examples: string[] }>;
  messages: Record<string, Reference>;
  bindings: Record<string, unknown>;
}

export interface AsyncApiOperation {
  action: 'send' | 'receive';
  channel: Reference;
  summary: string;
  messages: Reference[];
  security?: Reference[];
  reply?: { channel: Reference; messages: Reference[] };
  bindings?: Record<string, unknown>;
}

export interface AsyncApiServer {
  host: string;
  pathname: string;
  protocol: 'ws' | 'wss' | 'http' | 'https';
  description: string;
}

export interface AsyncApiDocument {
  asyncapi: string;
  info: { title: string; version: string; description: string };
  defaultContentType: string;
  servers: Record<string, AsyncApiServer>;
  channels: Record<string, AsyncApiChannel>;
  operations: Record<string, AsyncApiOperation>;
  components: {
    messages: Record<string, AsyncApiMessage>;
    schemas: Record<string, JsonSchema>;
    securitySchemes: Record<string, unknown>;
  };
}

const JSON_TYPE = 'application/json';

const CONNECTION = 'connection';

export function buildAsyncApi(options: AsyncApiOptions): AsyncApiDocument {
  return {
    asyncapi: '3.0.0',
    info: {
      title: `${options.title}: live feed`,
      version: options.version,
      description:
        'A fact is one message on each channel that it concerns. `seq` numbers facts without gaps; `prev` is the `seq` of ' +
        'the message before on the same channel. A client that reconnects sends the last `seq` that it has as `since` ' +
        '(server-sent events: `Last-Event-ID`) and gets what it has missed. Messages of several channels come over one connection.',
    },
    defaultContentType: JSON_TYPE,
    servers: serversOf(new URL(options.address), options.socketPath),
    channels: {
      ...Object.fromEntries(CHANNELS.map((channel) => [channel.key, channelOf(channel)])),
      [CONNECTION]: connectionChannel(),
    },
    operations: { ...eventOperations(), ...controlOperation(), ...commandOperations() },
    components: {
      messages: messages(),
      schemas: componentsOf(SCHEMAS),
      securitySchemes: {
        apiKey: {
          type: 'httpApiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'Opens `account`. The command `auth` does the same.',
        },
      },
    },
  };
}

function serversOf(
  { host, protocol, pathname }: URL,
  socketPath: string | null,
): AsyncApiDocument['servers'] {
  const path = pathname.replace(/\/$/, '') + API_PREFIX;
  const isSecure = protocol === 'https:';
  return {
    websocket: {
      host,
      pathname: socketPath ?? `${path}/ws`,
      protocol: isSecure ? 'wss' : 'ws',
      description: 'Commands and messages are text frames, each one JSON object.',
    },
    stream: {
      host,
      pathname: `${path}/stream`,
      protocol: isSecure ? 'https' : 'http',
      description:
        'Server-sent events: the same messages as `data`, the channels in the query. `Last-Event-ID` resumes.',
    },
  };
}

function channelOf({ key, address, title, description, events }: ChannelText): AsyncApiChannel {
  const id = { description: 'The id of the market', examples: ['12'] };
  return {
    address,
    title,
    description,
    servers: [to('servers', 'websocket'), to('servers', 'stream')],
    ...(key === 'market' ? { parameters: { id } } : {}),
    messages: messagesNamed(events),
    bindings: { ws: UPGRADE },
  };
}

/** The messages that concern the connection itself and belong to no other channel. */
function connectionChannel(): AsyncApiChannel {
  return {
    address: null,
    title: 'The connection',
    description: 'Commands of the client, and what answers them.',
    servers: [to('servers', 'websocket')],
    messages: messagesNamed([...typesOf(controlMessages), ...typesOf(clientCommands)]),
    bindings: { ws: UPGRADE },
  };
}

const UPGRADE = {
  method: 'GET',
  headers: {
    type: 'object',
    properties: { 'X-API-Key': { type: 'string', description: 'Does what the command `auth` does' } },
  },
  bindingVersion: '0.1.0',
};

const STREAM_REQUEST = {
  method: 'GET',
  query: {
    type: 'object',
    properties: {
      channels: {
        type: 'string',
        description: 'Names of channels with commas between',
        examples: ['trades,market:12'],
      },
    },
    required: ['channels'],
  },
  bindingVersion: '0.3.0',
};

function eventOperations(): AsyncApiDocument['operations'] {
  return Object.fromEntries(
    CHANNELS.map(({ key, title, events }): [string, AsyncApiOperation] => [
      `${key}Events`,
      {
        action: 'send',
        channel: to('channels', key),
        summary: `${title}: what happens`,
        messages: events.map((event) => to('channels', key, 'messages', event)),
        ...(key === 'account' ? { security: [to('components', 'securitySchemes', 'apiKey')] } : {}),
        bindings: { http: STREAM_REQUEST },
      },
    ]),
  );
}

function controlOperation(): AsyncApiDocument['operations'] {
  return {
    control: {
      action: 'send',
      channel: to('channels', CONNECTION),
      summary: 'What the service says about the connection',
      messages: typesOf(controlMessages).map(onConnection),
    },
  };
}

function commandOperations(): AsyncApiDocument['operations'] {
  return Object.fromEntries(
    typesOf(COMMANDS).map((op): [string, AsyncApiOperation] => [
      op,
      {
        action: 'receive',
        channel: to('channels', CONNECTION),
        summary: COMMANDS[op].summary,
        messages: [onConnection(op)],
        reply: { channel: to('channels', CONNECTION), messages: COMMANDS[op].answers.map(onConnection) },
      },
    ]),
  );
}

const onConnection = (name: string): Reference => to('channels', CONNECTION, 'messages', name);

function messages(): Record<string, AsyncApiMessage> {
  const made = [
    ...typesOf(eventMessages).map((name) => messageOf(name, EVENT_SUMMARIES[name], eventExamples(name))),
    ...typesOf(controlMessages).map((name) =>
      messageOf(
        name,
        CONTROL_SUMMARIES[name],
        CONTROL_EXAMPLES.filter(({ type }) => type === name),
      ),
    ),
    ...typesOf(clientCommands).map((name) =>
      messageOf(
        name,
        COMMANDS[name].summary,
        COMMAND_EXAMPLES.filter(({ op }) => op === name),
      ),
    ),
  ];
  return Object.fromEntries(made.map((message) => [message.name, message]));
}

function messageOf(name: string, summary: string, examples: readonly unknown[]): AsyncApiMessage {
  return {
    name,
    summary,
    contentType: JSON_TYPE,
    payload: to('components', 'schemas', schemaName(name)),
    examples: examples.map((payload) => ({ payload })),
  };
}

function messagesNamed(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, to('components', 'messages', name)]));
}

const SCHEMAS: Readonly<Record<string, Joi.Schema>> = {
  ...Object.fromEntries(
    [eventMessages, controlMessages, clientCommands].flatMap((schemas: Record<string, Joi.Schema>) =>
      Object.entries(schemas).map(([name, schema]) => [schemaName(name), schema]),
    ),
  ),
  MarketSnapshot: marketSnapshot,
  Snapshot: snapshot,
  BalanceFigures: figures,
};

/** The name of a message's schema: `market.created` becomes `MarketCreated`. */
export function schemaName(message: string): string {
  return message.replace(/(?:^|[.])([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function to(...path: string[]): Reference {
  return { $ref: `#/${path.join('/')}` };
}

function typesOf<Name extends string>(named: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(named) as Name[];
}
