/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.RowIdLifetime;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;

/**
 * Metadata that passes every call on, and hands on what is made of it. Null rules are those of {@link DatabaseMetaData}.
 */
@NullUnmarked
abstract class DelegatingDatabaseMetaData implements DatabaseMetaData {

    abstract DatabaseMetaData target() throws SQLException;

    abstract ResultSet child(ResultSet rows);

    @Override
    public boolean allProceduresAreCallable() throws SQLException {
        return target().allProceduresAreCallable();
    }

    @Override
    public boolean allTablesAreSelectable() throws SQLException {
        return target().allTablesAreSelectable();
    }

    @Override
    public boolean autoCommitFailureClosesAllResultSets() throws SQLException {
        return target().autoCommitFailureClosesAllResultSets();
    }

    @Override
    public boolean dataDefinitionCausesTransactionCommit() throws SQLException {
        return target().dataDefinitionCausesTransactionCommit();
    }

    @Override
    public boolean dataDefinitionIgnoredInTransactions() throws SQLException {
        return target().dataDefinitionIgnoredInTransactions();
    }

    @Override
    public boolean deletesAreDetected(int value) throws SQLException {
        return target().deletesAreDetected(value);
    }

    @Override
    public boolean doesMaxRowSizeIncludeBlobs() throws SQLException {
        return target().doesMaxRowSizeIncludeBlobs();
    }

    @Override
    public boolean generatedKeyAlwaysReturned() throws SQLException {
        return target().generatedKeyAlwaysReturned();
    }

    @Override
    public ResultSet getAttributes(String catalog, String schema, String name, String column) throws SQLException {
        return child(target().getAttributes(catalog, schema, name, column));
    }

    @Override
    public ResultSet getBestRowIdentifier(String catalog, String schema, String name, int scope, boolean nullable)
            throws SQLException {
        return child(target().getBestRowIdentifier(catalog, schema, name, scope, nullable));
    }

    @Override
    public String getCatalogSeparator() throws SQLException {
        return target().getCatalogSeparator();
    }

    @Override
    public String getCatalogTerm() throws SQLException {
        return target().getCatalogTerm();
    }

    @Override
    public ResultSet getCatalogs() throws SQLException {
        return child(target().getCatalogs());
    }

    @Override
    public ResultSet getClientInfoProperties() throws SQLException {
        return child(target().getClientInfoProperties());
    }

    @Override
    public ResultSet getColumnPrivileges(String catalog, String schema, String name, String column)
            throws SQLException {
        return child(target().getColumnPrivileges(catalog, schema, name, column));
    }

    @Override
    public ResultSet getColumns(String catalog, String schema, String name, String column) throws SQLException {
        return child(target().getColumns(catalog, schema, name, column));
    }

    @Override
    public ResultSet getCrossReference(
            String parentCatalog,
            String parentSchema,
            String parentTable,
            String foreignCatalog,
            String foreignSchema,
            String foreignTable)
            throws SQLException {
        return child(target().getCrossReference(
                        parentCatalog, parentSchema, parentTable, foreignCatalog, foreignSchema, foreignTable));
    }

    @Override
    public int getDatabaseMajorVersion() throws SQLException {
        return target().getDatabaseMajorVersion();
    }

    @Override
    public int getDatabaseMinorVersion() throws SQLException {
        return target().getDatabaseMinorVersion();
    }

    @Override
    public String getDatabaseProductName() throws SQLException {
        return target().getDatabaseProductName();
    }

    @Override
    public String getDatabaseProductVersion() throws SQLException {
        return target().getDatabaseProductVersion();
    }

    @Override
    public int getDefaultTransactionIsolation() throws SQLException {
        return target().getDefaultTransactionIsolation();
    }

    @Override
    public String getDriverName() throws SQLException {
        return target().getDriverName();
    }

    @Override
    public String getDriverVersion() throws SQLException {
        return target().getDriverVersion();
    }

    @Override
    public ResultSet getExportedKeys(String catalog, String schema, String name) throws SQLException {
        return child(target().getExportedKeys(catalog, schema, name));
    }

    @Override
    public String getExtraNameCharacters() throws SQLException {
        return target().getExtraNameCharacters();
    }

    @Override
    public ResultSet getFunctionColumns(String catalog, String schema, String name, String column) throws SQLException {
        return child(target().getFunctionColumns(catalog, schema, name, column));
    }

    @Override
    public ResultSet getFunctions(String catalog, String schema, String name) throws SQLException {
        return child(target().getFunctions(catalog, schema, name));
    }

    @Override
    public String getIdentifierQuoteString() throws SQLException {
        return target().getIdentifierQuoteString();
    }

    @Override
    public ResultSet getImportedKeys(String catalog, String schema, String name) throws SQLException {
        return child(target().getImportedKeys(catalog, schema, name));
    }

    @Override
    public ResultSet getIndexInfo(String catalog, String schema, String name, boolean unique, boolean approximate)
            throws SQLException {
        return child(target().getIndexInfo(catalog, schema, name, unique, approximate));
    }

    @Override
    public int getJDBCMajorVersion() throws SQLException {
        return target().getJDBCMajorVersion();
    }

    @Override
    public int getJDBCMinorVersion() throws SQLException {
        return target().getJDBCMinorVersion();
    }

    @Override
    public int getMaxBinaryLiteralLength() throws SQLException {
        return target().getMaxBinaryLiteralLength();
    }

    @Override
    public int getMaxCatalogNameLength() throws SQLException {
        return target().getMaxCatalogNameLength();
    }

    @Override
    public int getMaxCharLiteralLength() throws SQLException {
        return target().getMaxCharLiteralLength();
    }

    @Override
    public int getMaxColumnNameLength() throws SQLException {
        return target().getMaxColumnNameLength();
    }

    @Override
    public int getMaxColumnsInGroupBy() throws SQLException {
        return target().getMaxColumnsInGroupBy();
    }

    @Override
    public int getMaxColumnsInIndex() throws SQLException {
        return target().getMaxColumnsInIndex();
    }

    @Override
    public int getMaxColumnsInOrderBy() throws SQLException {
        return target().getMaxColumnsInOrderBy();
    }

    @Override
    public int getMaxColumnsInSelect() throws SQLException {
        return target().getMaxColumnsInSelect();
    }

    @Override
    public int getMaxColumnsInTable() throws SQLException {
        return target().getMaxColumnsInTable();
    }

    @Override
    public int getMaxConnections() throws SQLException {
        return target().getMaxConnections();
    }

    @Override
    public int getMaxCursorNameLength() throws SQLException {
        return target().getMaxCursorNameLength();
    }

    @Override
    public int getMaxIndexLength() throws SQLException {
        return target().getMaxIndexLength();
    }

    @Override
    public long getMaxLogicalLobSize() throws SQLException {
        return target().getMaxLogicalLobSize();
    }

    @Override
    public int getMaxProcedureNameLength() throws SQLException {
        return target().getMaxProcedureNameLength();
    }

    @Override
    public int getMaxRowSize() throws SQLException {
        return target().getMaxRowSize();
    }

    @Override
    public int getMaxSchemaNameLength() throws SQLException {
        return target().getMaxSchemaNameLength();
    }

    @Override
    public int getMaxStatementLength() throws SQLException {
        return target().getMaxStatementLength();
    }

    @Override
    public int getMaxStatements() throws SQLException {
        return target().getMaxStatements();
    }

    @Override
    public int getMaxTableNameLength() throws SQLException {
        return target().getMaxTableNameLength();
    }

    @Override
    public int getMaxTablesInSelect() throws SQLException {
        return target().getMaxTablesInSelect();
    }

    @Override
    public int getMaxUserNameLength() throws SQLException {
        return target().getMaxUserNameLength();
    }

    @Override
    public String getNumericFunctions() throws SQLException {
        return target().getNumericFunctions();
    }

    @Override
    public ResultSet getPrimaryKeys(String catalog, String schema, String name) throws SQLException {
        return child(target().getPrimaryKeys(catalog, schema, name));
    }

    @Override
    public ResultSet getProcedureColumns(String catalog, String schema, String name, String column)
            throws SQLException {
        return child(target().getProcedureColumns(catalog, schema, name, column));
    }

    @Override
    public String getProcedureTerm() throws SQLException {
        return target().getProcedureTerm();
    }

    @Override
    public ResultSet getProcedures(String catalog, String schema, String name) throws SQLException {
        return child(target().getProcedures(catalog, schema, name));
    }

    @Override
    public ResultSet getPseudoColumns(String catalog, String schema, String name, String column) throws SQLException {
        return child(target().getPseudoColumns(catalog, schema, name, column));
    }

    @Override
    public int getResultSetHoldability() throws SQLException {
        return target().getResultSetHoldability();
    }

    @Override
    public RowIdLifetime getRowIdLifetime() throws SQLException {
        return target().getRowIdLifetime();
    }

    @Override
    public String getSQLKeywords() throws SQLException {
        return target().getSQLKeywords();
    }

    @Override
    public int getSQLStateType() throws SQLException {
        return target().getSQLStateType();
    }

    @Override
    public String getSchemaTerm() throws SQLException {
        return target().getSchemaTerm();
    }

    @Override
    public ResultSet getSchemas() throws SQLException {
        return child(target().getSchemas());
    }

    @Override
    public ResultSet getSchemas(String catalog, String schema) throws SQLException {
        return child(target().getSchemas(catalog, schema));
    }

    @Override
    public String getSearchStringEscape() throws SQLException {
        return target().getSearchStringEscape();
    }

    @Override
    public String getStringFunctions() throws SQLException {
        return target().getStringFunctions();
    }

    @Override
    public ResultSet getSuperTables(String catalog, String schema, String name) throws SQLException {
        return child(target().getSuperTables(catalog, schema, name));
    }

    @Override
    public ResultSet getSuperTypes(String catalog, String schema, String name) throws SQLException {
        return child(target().getSuperTypes(catalog, schema, name));
    }

    @Override
    public String getSystemFunctions() throws SQLException {
        return target().getSystemFunctions();
    }

    @Override
    public ResultSet getTablePrivileges(String catalog, String schema, String name) throws SQLException {
        return child(target().getTablePrivileges(catalog, schema, name));
    }

    @Override
    public ResultSet getTableTypes() throws SQLException {
        return child(target().getTableTypes());
    }

    @Override
    public ResultSet getTables(String catalog, String schema, String name, String[] types) throws SQLException {
        return child(target().getTables(catalog, schema, name, types));
    }

    @Override
    public String getTimeDateFunctions() throws SQLException {
        return target().getTimeDateFunctions();
    }

    @Override
    public ResultSet getTypeInfo() throws SQLException {
        return child(target().getTypeInfo());
    }

    @Override
    public ResultSet getUDTs(String catalog, String schema, String name, int[] types) throws SQLException {
        return child(target().getUDTs(catalog, schema, name, types));
    }

    @Override
    public String getURL() throws SQLException {
        return target().getURL();
    }

    @Override
    public String getUserName() throws SQLException {
        return target().getUserName();
    }

    @Override
    public ResultSet getVersionColumns(String catalog, String schema, String name) throws SQLException {
        return child(target().getVersionColumns(catalog, schema, name));
    }

    @Override
    public boolean insertsAreDetected(int value) throws SQLException {
        return target().insertsAreDetected(value);
    }

    @Override
    public boolean isCatalogAtStart() throws SQLException {
        return target().isCatalogAtStart();
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        return target().isReadOnly();
    }

    @Override
    public boolean locatorsUpdateCopy() throws SQLException {
        return target().locatorsUpdateCopy();
    }

    @Override
    public boolean nullPlusNonNullIsNull() throws SQLException {
        return target().nullPlusNonNullIsNull();
    }

    @Override
    public boolean nullsAreSortedAtEnd() throws SQLException {
        return target().nullsAreSortedAtEnd();
    }

    @Override
    public boolean nullsAreSortedAtStart() throws SQLException {
        return target().nullsAreSortedAtStart();
    }

    @Override
    public boolean nullsAreSortedHigh() throws SQLException {
        return target().nullsAreSortedHigh();
    }

    @Override
    public boolean nullsAreSortedLow() throws SQLException {
        return target().nullsAreSortedLow();
    }

    @Override
    public boolean othersDeletesAreVisible(int value) throws SQLException {
        return target().othersDeletesAreVisible(value);
    }

    @Override
    public boolean othersInsertsAreVisible(int value) throws SQLException {
        return target().othersInsertsAreVisible(value);
    }

    @Override
    public boolean othersUpdatesAreVisible(int value) throws SQLException {
        return target().othersUpdatesAreVisible(value);
    }

    @Override
    public boolean ownDeletesAreVisible(int value) throws SQLException {
        return target().ownDeletesAreVisible(value);
    }

    @Override
    public boolean ownInsertsAreVisible(int value) throws SQLException {
        return target().ownInsertsAreVisible(value);
    }

    @Override
    public boolean ownUpdatesAreVisible(int value) throws SQLException {
        return target().ownUpdatesAreVisible(value);
    }

    @Override
    public boolean storesLowerCaseIdentifiers() throws SQLException {
        return target().storesLowerCaseIdentifiers();
    }

    @Override
    public boolean storesLowerCaseQuotedIdentifiers() throws SQLException {
        return target().storesLowerCaseQuotedIdentifiers();
    }

    @Override
    public boolean storesMixedCaseIdentifiers() throws SQLException {
        return target().storesMixedCaseIdentifiers();
    }

    @Override
    public boolean storesMixedCaseQuotedIdentifiers() throws SQLException {
        return target().storesMixedCaseQuotedIdentifiers();
    }

    @Override
    public boolean storesUpperCaseIdentifiers() throws SQLException {
        return target().storesUpperCaseIdentifiers();
    }

    @Override
    public boolean storesUpperCaseQuotedIdentifiers() throws SQLException {
        return target().storesUpperCaseQuotedIdentifiers();
    }

    @Override
    public boolean supportsANSI92EntryLevelSQL() throws SQLException {
        return target().supportsANSI92EntryLevelSQL();
    }

    @Override
    public boolean supportsANSI92FullSQL() throws SQLException {
        return target().supportsANSI92FullSQL();
    }

    @Override
    public boolean supportsANSI92IntermediateSQL() throws SQLException {
        return target().supportsANSI92IntermediateSQL();
    }

    @Override
    public boolean supportsAlterTableWithAddColumn() throws SQLException {
        return target().supportsAlterTableWithAddColumn();
    }

    @Override
    public boolean supportsAlterTableWithDropColumn() throws SQLException {
        return target().supportsAlterTableWithDropColumn();
    }

    @Override
    public boolean supportsBatchUpdates() throws SQLException {
        return target().supportsBatchUpdates();
    }

    @Override
    public boolean supportsCatalogsInDataManipulation() throws SQLException {
        return target().supportsCatalogsInDataManipulation();
    }

    @Override
    public boolean supportsCatalogsInIndexDefinitions() throws SQLException {
        return target().supportsCatalogsInIndexDefinitions();
    }

    @Override
    public boolean supportsCatalogsInPrivilegeDefinitions() throws SQLException {
        return target().supportsCatalogsInPrivilegeDefinitions();
    }

    @Override
    public boolean supportsCatalogsInProcedureCalls() throws SQLException {
        return target().supportsCatalogsInProcedureCalls();
    }

    @Override
    public boolean supportsCatalogsInTableDefinitions() throws SQLException {
        return target().supportsCatalogsInTableDefinitions();
    }

    @Override
    public boolean supportsColumnAliasing() throws SQLException {
        return target().supportsColumnAliasing();
    }

    @Override
    public boolean supportsConvert() throws SQLException {
        return target().supportsConvert();
    }

    @Override
    public boolean supportsConvert(int fromType, int toType) throws SQLException {
        return target().supportsConvert(fromType, toType);
    }

    @Override
    public boolean supportsCoreSQLGrammar() throws SQLException {
        return target().supportsCoreSQLGrammar();
    }

    @Override
    public boolean supportsCorrelatedSubqueries() throws SQLException {
        return target().supportsCorrelatedSubqueries();
    }

    @Override
    public boolean supportsDataDefinitionAndDataManipulationTransactions() throws SQLException {
        return target().supportsDataDefinitionAndDataManipulationTransactions();
    }

    @Override
    public boolean supportsDataManipulationTransactionsOnly() throws SQLException {
        return target().supportsDataManipulationTransactionsOnly();
    }

    @Override
    public boolean supportsDifferentTableCorrelationNames() throws SQLException {
        return target().supportsDifferentTableCorrelationNames();
    }

    @Override
    public boolean supportsExpressionsInOrderBy() throws SQLException {
        return target().supportsExpressionsInOrderBy();
    }

    @Override
    public boolean supportsExtendedSQLGrammar() throws SQLException {
        return target().supportsExtendedSQLGrammar();
    }

    @Override
    public boolean supportsFullOuterJoins() throws SQLException {
        return target().supportsFullOuterJoins();
    }

    @Override
    public boolean supportsGetGeneratedKeys() throws SQLException {
        return target().supportsGetGeneratedKeys();
    }

    @Override
    public boolean supportsGroupBy() throws SQLException {
        return target().supportsGroupBy();
    }

    @Override
    public boolean supportsGroupByBeyondSelect() throws SQLException {
        return target().supportsGroupByBeyondSelect();
    }

    @Override
    public boolean supportsGroupByUnrelated() throws SQLException {
        return target().supportsGroupByUnrelated();
    }

    @Override
    public boolean supportsIntegrityEnhancementFacility() throws SQLException {
        return target().supportsIntegrityEnhancementFacility();
    }

    @Override
    public boolean supportsLikeEscapeClause() throws SQLException {
        return target().supportsLikeEscapeClause();
    }

    @Override
    public boolean supportsLimitedOuterJoins() throws SQLException {
        return target().supportsLimitedOuterJoins();
    }

    @Override
    public boolean supportsMinimumSQLGrammar() throws SQLException {
        return target().supportsMinimumSQLGrammar();
    }

    @Override
    public boolean supportsMixedCaseIdentifiers() throws SQLException {
        return target().supportsMixedCaseIdentifiers();
    }

    @Override
    public boolean supportsMixedCaseQuotedIdentifiers() throws SQLException {
        return target().supportsMixedCaseQuotedIdentifiers();
    }

    @Override
    public boolean supportsMultipleOpenResults() throws SQLException {
        return target().supportsMultipleOpenResults();
    }

    @Override
    public boolean supportsMultipleResultSets() throws SQLException {
        return target().supportsMultipleResultSets();
    }

    @Override
    public boolean supportsMultipleTransactions() throws SQLException {
        return target().supportsMultipleTransactions();
    }

    @Override
    public boolean supportsNamedParameters() throws SQLException {
        return target().supportsNamedParameters();
    }

    @Override
    public boolean supportsNonNullableColumns() throws SQLException {
        return target().supportsNonNullableColumns();
    }

    @Override
    public boolean supportsOpenCursorsAcrossCommit() throws SQLException {
        return target().supportsOpenCursorsAcrossCommit();
    }

    @Override
    public boolean supportsOpenCursorsAcrossRollback() throws SQLException {
        return target().supportsOpenCursorsAcrossRollback();
    }

    @Override
    public boolean supportsOpenStatementsAcrossCommit() throws SQLException {
        return target().supportsOpenStatementsAcrossCommit();
    }

    @Override
    public boolean supportsOpenStatementsAcrossRollback() throws SQLException {
        return target().supportsOpenStatementsAcrossRollback();
    }

    @Override
    public boolean supportsOrderByUnrelated() throws SQLException {
        return target().supportsOrderByUnrelated();
    }

    @Override
    public boolean supportsOuterJoins() throws SQLException {
        return target().supportsOuterJoins();
    }

    @Override
    public boolean supportsPositionedDelete() throws SQLException {
        return target().supportsPositionedDelete();
    }

    @Override
    public boolean supportsPositionedUpdate() throws SQLException {
        return target().supportsPositionedUpdate();
    }

    @Override
    public boolean supportsRefCursors() throws SQLException {
        return target().supportsRefCursors();
    }

    @Override
    public boolean supportsResultSetConcurrency(int types, int types2) throws SQLException {
        return target().supportsResultSetConcurrency(types, types2);
    }

    @Override
    public boolean supportsResultSetHoldability(int value) throws SQLException {
        return target().supportsResultSetHoldability(value);
    }

    @Override
    public boolean supportsResultSetType(int value) throws SQLException {
        return target().supportsResultSetType(value);
    }

    @Override
    public boolean supportsSavepoints() throws SQLException {
        return target().supportsSavepoints();
    }

    @Override
    public boolean supportsSchemasInDataManipulation() throws SQLException {
        return target().supportsSchemasInDataManipulation();
    }

    @Override
    public boolean supportsSchemasInIndexDefinitions() throws SQLException {
        return target().supportsSchemasInIndexDefinitions();
    }

    @Override
    public boolean supportsSchemasInPrivilegeDefinitions() throws SQLException {
        return target().supportsSchemasInPrivilegeDefinitions();
    }

    @Override
    public boolean supportsSchemasInProcedureCalls() throws SQLException {
        return target().supportsSchemasInProcedureCalls();
    }

    @Override
    public boolean supportsSchemasInTableDefinitions() throws SQLException {
        return target().supportsSchemasInTableDefinitions();
    }

    @Override
    public boolean supportsSelectForUpdate() throws SQLException {
        return target().supportsSelectForUpdate();
    }

    @Override
    public boolean supportsSharding() throws SQLException {
        return target().supportsSharding();
    }

    @Override
    public boolean supportsStatementPooling() throws SQLException {
        return target().supportsStatementPooling();
    }

    @Override
    public boolean supportsStoredFunctionsUsingCallSyntax() throws SQLException {
        return target().supportsStoredFunctionsUsingCallSyntax();
    }

    @Override
    public boolean supportsStoredProcedures() throws SQLException {
        return target().supportsStoredProcedures();
    }

    @Override
    public boolean supportsSubqueriesInComparisons() throws SQLException {
        return target().supportsSubqueriesInComparisons();
    }

    @Override
    public boolean supportsSubqueriesInExists() throws SQLException {
        return target().supportsSubqueriesInExists();
    }

    @Override
    public boolean supportsSubqueriesInIns() throws SQLException {
        return target().supportsSubqueriesInIns();
    }

    @Override
    public boolean supportsSubqueriesInQuantifieds() throws SQLException {
        return target().supportsSubqueriesInQuantifieds();
    }

    @Override
    public boolean supportsTableCorrelationNames() throws SQLException {
        return target().supportsTableCorrelationNames();
    }

    @Override
    public boolean supportsTransactionIsolationLevel(int value) throws SQLException {
        return target().supportsTransactionIsolationLevel(value);
    }

    @Override
    public boolean supportsTransactions() throws SQLException {
        return target().supportsTransactions();
    }

    @Override
    public boolean supportsUnion() throws SQLException {
        return target().supportsUnion();
    }

    @Override
    public boolean supportsUnionAll() throws SQLException {
        return target().supportsUnionAll();
    }

    @Override
    public boolean updatesAreDetected(int value) throws SQLException {
        return target().updatesAreDetected(value);
    }

    @Override
    public boolean usesLocalFilePerTable() throws SQLException {
        return target().usesLocalFilePerTable();
    }

    @Override
    public boolean usesLocalFiles() throws SQLException {
        return target().usesLocalFiles();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : target().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || target().isWrapperFor(type);
    }
}
