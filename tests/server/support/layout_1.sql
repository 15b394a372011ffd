-- A database of layout 1 as it was before clocks, take-backs and rematches: a game of connect four against a bot.
BEGIN TRANSACTION;
CREATE TABLE actions (
	table_id VARCHAR(32) NOT NULL, 
	number INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	action INTEGER NOT NULL, 
	request_id VARCHAR(64), 
	written_us BIGINT NOT NULL, 
	PRIMARY KEY (table_id, number), 
	UNIQUE (table_id, seat, request_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "actions" VALUES('208c126c98d2bd2b287f',0,0,0,'r0',1795995916288637);
INSERT INTO "actions" VALUES('208c126c98d2bd2b287f',1,1,3,NULL,1795995916343042);
INSERT INTO "actions" VALUES('208c126c98d2bd2b287f',2,0,0,'r1',1795995916401295);
INSERT INTO "actions" VALUES('208c126c98d2bd2b287f',3,1,3,NULL,1795995916453859);
CREATE TABLE invitations (
	table_id VARCHAR(32) NOT NULL, 
	token_hash BLOB NOT NULL, 
	PRIMARY KEY (table_id)
);
INSERT INTO "invitations" VALUES('208c126c98d2bd2b287f',X'330E99ADEBB4E3A690458A69B0A625407E8D59F16776DEFF67042FA7AEF95680');
CREATE TABLE pass_windows (
	table_id VARCHAR(32) NOT NULL, 
	least_ms INTEGER NOT NULL, 
	most_ms INTEGER NOT NULL, 
	PRIMARY KEY (table_id)
);
CREATE TABLE replicas (
	id VARCHAR(32) NOT NULL, 
	seen DATETIME NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE seatmate_meta (
	"key" VARCHAR(32) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "seatmate_meta" VALUES('schema','1');
CREATE TABLE seats (
	table_id VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	holder VARCHAR(8) NOT NULL, 
	display_name TEXT NOT NULL, 
	bot TEXT NOT NULL, 
	pace_ms INTEGER NOT NULL, 
	token_hash BLOB, 
	return_hash BLOB, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "seats" VALUES('208c126c98d2bd2b287f',0,'player','Ada','',0,X'C7BB072345020DE30DF1F4A7C5333E59F22786AF7F396C2171307A8EBA26CB30',NULL);
INSERT INTO "seats" VALUES('208c126c98d2bd2b287f',1,'bot','heuristic','heuristic',0,NULL,NULL);
CREATE TABLE tables (
	id VARCHAR(32) NOT NULL, 
	game VARCHAR(64) NOT NULL, 
	settings TEXT NOT NULL, 
	rules_version INTEGER NOT NULL, 
	seed TEXT NOT NULL, 
	display_name TEXT NOT NULL, 
	invite_only BOOLEAN NOT NULL, 
	token_hash BLOB NOT NULL, 
	created_us BIGINT NOT NULL, 
	finished BOOLEAN NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('208c126c98d2bd2b287f','connect_four','{"game": "connect_four", "mode": "standard", "seats": 2, "options": {}, "pack": "", "pack_hash": ""}',1,'5','before clocks',1,X'08A673E14435761C780DD337442E1D5B343A82CC9BB534C0495D4E676D0F29A0',1795995916248570,0);
CREATE INDEX tables_newest ON tables (invite_only, created_us, id);
COMMIT;
